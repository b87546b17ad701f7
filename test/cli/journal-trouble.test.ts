// A journal that cannot be written, or was damaged: no order leaves, and what is said tells what to do. Real processes, counted
// at the venue.

import { spawnSync } from "node:child_process";
import { existsSync, renameSync, statSync, truncateSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, type TestContext, test } from "vitest";
import { needs } from "../support/needs.ts";
import { type BotStage, botStage, eventually } from "./bot-stage.ts";
import { LAUNCHER } from "./pegbot.ts";

async function trades(stage: BotStage): Promise<void> {
  const before = await stage.orders();
  await eventually(async () => (await stage.orders()) > before, "an order");
}

function requireMounts({ skip }: TestContext): void {
  needs("unshare", "mount", "nsenter");
  skip(spawnSync("unshare", ["-m", "true"]).status !== 0, "a file system of its own may not be mounted here");
}

describe("no order leaves while", () => {
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
