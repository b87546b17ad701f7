// A journal that cannot be written, or was damaged: no order leaves, and what is said tells what to do. Real processes, counted
// at the venue.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, type TestContext, test } from "vitest";
import { killFilePath } from "../../src/app/kill-switch/kill-file.ts";
import { needs } from "../support/needs.ts";
import type { Program } from "../support/program.ts";
import { type BotStage, botStage, eventually, said } from "./bot-stage.ts";
import { LAUNCHER } from "./pegbot.ts";

async function trades(stage: BotStage): Promise<void> {
  const before = await stage.orders();
  await eventually(async () => (await stage.orders()) > before, "an order");
}

/** Orders that arrive from now on, once what was on its way has arrived. */
async function ordersToCome(stage: BotStage): Promise<number> {
  await sleep(500);
  const before = await stage.orders();
  await sleep(3_000);
  return (await stage.orders()) - before;
}

function requireMounts({ skip }: TestContext): void {
  needs("unshare", "mount", "nsenter");
  skip(spawnSync("unshare", ["-m", "true"]).status !== 0, "a file system of its own may not be mounted here");
}

/** The bot with its data on a file system of its own, and a way to reach that from here. */
function runOnOwnDisk(stage: BotStage, context: TestContext): { bot: Program; inside: (script: string) => void } {
  requireMounts(context);
  const data = dirname(stage.journal);
  mkdirSync(data);
  // The journal keeps 64 MiB in reserve.
  const script = `mount -t tmpfs -o size=72m,mode=700 tmpfs ${data}; exec "$0" "$1" run --port 0`;
  const bot = stage.launch("unshare", "-m", "sh", "-euc", script, process.execPath, LAUNCHER);
  const inside = (line: string): void =>
    void spawnSync("nsenter", ["-t", String(bot.pid), "-m", "sh", "-c", `cd ${data}; ${line}`]);
  return { bot, inside };
}

describe("no order leaves while", () => {
  test("the disk is full", async (context) => {
    const stage = await botStage();
    const { bot, inside } = runOnOwnDisk(stage, context);
    await trades(stage);
    inside("cat /dev/zero > filler");
    await said(bot, /journal-full|free some disk space/);
    expect(await ordersToCome(stage)).toBe(0);
    expect(bot.stderr()).toContain("free some disk space");
  });

  test("the folder may not be written to: the bot does not start, and says why", async (context) => {
    const stage = await botStage();
    const bot = stage.run();
    await trades(stage);
    bot.kill("SIGTERM");
    await bot.ended();
    const orders = await stage.orders();
    requireMounts(context);
    const data = dirname(stage.journal);
    const script = `mount --bind ${data} ${data}; mount -o remount,ro,bind ${data}; exec "$0" "$@"`;
    for (const args of [
      ["run", "--port", "0"],
      ["order", "sell", "VCHF/CHF", "100", "--price", "0.9955", "--yes"],
    ]) {
      const program = stage.launch("unshare", "-m", "sh", "-euc", script, process.execPath, LAUNCHER, ...args);
      expect(await program.ended()).toMatchObject({ code: 1 });
      expect(program.stderr()).toMatch(/must be writable by this user|read-only file system/);
    }
    expect(await stage.orders()).toBe(orders);
  });

  test("its place takes no journal: the bot does not start, names the folder and the way out, and ends with 2", async () => {
    const stage = await botStage({ journal: { path: "./seller.ts/pegbot.db" } });
    const { code, stderr } = await stage.command("run", "--port", "0");
    const file = join(stage.folder, "seller.ts");
    expect(stderr).toContain(
      `its folder could not be made: ${file} must be a folder, and is none; nothing was written`,
    );
    expect(stderr).toContain("name another place in journal.path");
    expect(code).toBe(2);
    expect(await stage.orders()).toBe(0);
  });

  test("another process keeps the journal locked; it goes on by itself afterwards", async () => {
    const stage = await botStage();
    const bot = stage.run();
    await trades(stage);
    // The bot writes all the time: its turn is waited for.
    const other = new DatabaseSync(stage.journal, { timeout: 30_000 });
    other.exec("BEGIN IMMEDIATE");
    await said(bot, /it is locked by its owner/);
    expect(await ordersToCome(stage)).toBe(0);
    other.exec("ROLLBACK");
    other.close();
    await trades(stage);
  });
});

describe("a bot whose journal was moved away", () => {
  test("knows its own halt and a person's stop from the files, says both, and ends with 5", async () => {
    const stage = await botStage();
    const bot = stage.run();
    await trades(stage);
    renameSync(stage.journal, `${stage.journal}.away`);
    await said(bot, /the journal cannot be written: .* moved or replaced/);
    // Whole at once: a bot that looks between making and writing reads a stop without its reason.
    writeFileSync(join(stage.folder, "stop"), "what is this");
    renameSync(join(stage.folder, "stop"), killFilePath(stage.journal));
    renameSync(`${stage.journal}.away`, stage.journal);
    const [, url] = /listening on (\S+?):? /.exec(bot.stderr()) ?? [];
    const unready = async () => (await fetch(`${url}readyz`)).text();
    await expect.poll(unready).toMatch(/HALTED: what is this/);
    expect(await unready()).toMatch(/HALTED: journal-moved: /);
    bot.kill("SIGTERM");
    expect(await bot.ended()).toMatchObject({ code: 5 });
    expect(bot.lines()).toContain("HALTED: what is this");
    expect(bot.lines()).toContainEqual(expect.stringMatching(/^also HALTED: journal-moved: /));
  });
});

describe("a journal that was cut", () => {
  test("is refused where it lies, and adopt begins anew from the venue's books when it is moved away", async () => {
    const stage = await botStage();
    const bot = stage.run();
    await trades(stage);
    bot.kill("SIGTERM");
    await bot.ended();
    const orders = await stage.orders();
    truncateSync(stage.journal, statSync(stage.journal).size / 2);

    for (const words of [
      ["run", "--port", "0"],
      ["adopt", "--yes", "--reason", "the journal was lost"],
    ]) {
      const refused = await stage.command(...words);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/journal .*: broken.*without one, move the journal .*: then pegbot adopt begins anew/),
      ]);
    }
    for (const suffix of ["", "-wal", "-shm", ".anchor"])
      if (existsSync(stage.journal + suffix)) renameSync(stage.journal + suffix, `${stage.journal}.away${suffix}`);
    expect((await stage.command("run", "--port", "0")).stderr).toContain("there is none, and this is no first start");
    expect(await stage.orders()).toBe(orders);

    const adopted = await stage.command("adopt", "--yes", "--reason", "the journal was lost");
    expect(adopted.code, adopted.stderr).toBe(0);
    expect(adopted.stderr).toContain("(new: the venue's totals become its opening entry)");
    stage.run();
    await trades(stage);
  });
});
