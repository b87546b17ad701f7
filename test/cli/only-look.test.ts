// Commands that only look write nothing and ask the running bot first, and `halt` says what it did. Real processes, one of them on a
// file system that goes read-only under it.

import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ownerIn } from "../../src/app/key/owner-file.ts";
import { COMPILED } from "../support/compiled.ts";
import { type Program, start } from "../support/program.ts";
import { type BotStage, botStage, eventually } from "./bot-stage.ts";
import { startHost } from "./command-host.ts";
import { LAUNCHER, pegbot } from "./pegbot.ts";
import { stage as bookStage } from "./switch-stage.ts";

async function trades(stage: BotStage): Promise<void> {
  await eventually(async () => (await stage.orders()) > 0, "an order");
}

describe("halt", () => {
  test("names the process that it stopped; without one it stops all the same, ends with 5, and names the bots of other keys", async () => {
    const stage = await botStage();
    const bot = stage.run();
    await trades(stage);
    const { folder, path, killFile } = await bookStage();
    const other = { cwd: folder, env: { XDG_STATE_HOME: join(stage.folder, "state") } };
    const alone = await pegbot(["halt", "wrong folder"], other);
    expect([alone.code, killFile.check()]).toEqual([5, "HALTED: wrong folder"]);
    expect(alone.stdout).toContain(`journal  ${path}\nbot      no bot of this user is known to run on this journal`);
    expect(alone.stdout).toContain(
      `other    not stopped by this: kill -USR2 ${bot.pid} stops the bot that was started in`,
    );
    expect(alone.stdout).toContain(stage.journal);
    const [key = ""] = readdirSync(join(stage.folder, "state", "pegbot", "keys"));
    const owner = () => ownerIn(join(stage.folder, "state", "pegbot", "keys", key));
    const socket = `${stage.journal}.sock`;
    expect(owner()).toMatchObject({ pid: bot.pid, command: "run", journal: stage.journal, socket });

    const halted = await stage.command("halt", "by hand", "--json");
    expect([halted.code, JSON.parse(halted.stdout)]).toMatchObject([
      0,
      { pid: bot.pid, journal: stage.journal, others: [] },
    ]);

    bot.killGroup("SIGKILL");
    await bot.ended();
    const late = await stage.command("halt", "later");
    expect([late.code, late.stdout]).toEqual([5, expect.not.stringContaining(String(bot.pid))]);
    expect(owner(), "a killed process owns nothing").toBeUndefined();
  });

  test("does not take another process for a bot whose id it has", () => {
    const folder = mkdtempSync(join(tmpdir(), "pegbot-owner-"));
    const facts = { pid: process.pid, command: "run", version: "0", since: 1, folder, journal: join(folder, "p.db") };
    const begun = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ")[19];
    const found = (owner: object): unknown => {
      writeFileSync(join(folder, "owner.json"), JSON.stringify(owner));
      return ownerIn(folder)?.pid;
    };
    expect([found({ ...facts, begun }), found({ ...facts, begun: `${begun}0` }), found({})]).toEqual([
      ...[process.pid, undefined, undefined],
    ]);
  });
});

/** Every file below it, with what is in it and when it was written. */
function everyFile(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => {
      const { mtimeNs, size } = statSync(path, { bigint: true });
      const content = statSync(path).isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
      return `${path} ${size} ${mtimeNs} ${content}`;
    })
    .sort();
}

test("start refuses a configuration that is named; status, journal, limits and config leave every file as it was", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-look-"));
  const env = { PATH: process.env.PATH ?? "", HOME: folder, XDG_RUNTIME_DIR: folder, NODE_COMPILE_CACHE: COMPILED };
  const host = startHost(folder, env);
  const bot: Program = start(process.execPath, [LAUNCHER, "start", "--port", "0"], { cwd: folder, env });
  try {
    writeFileSync(join(folder, "other.yaml"), "mode: paper\njournal: { path: ./other/pegbot.db }\n");
    const refused = await host.run("start", "--config", "other.yaml");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("pegbot run --config other.yaml")]);
    await bot.until(() => /trading/.test(bot.stderr()), "it trades");
    bot.kill("SIGTERM");
    await bot.ended();
    const before = everyFile(folder);
    const lines = ["status", "journal list", "journal show 1", "journal verify", "limits reload", "config show"];
    for (const words of [...lines, "config check"]) {
      const { code, stderr } = await host.run(...words.split(" "));
      expect([words, everyFile(folder)], stderr).toEqual([words, before]);
      if (!words.startsWith("config")) expect([words, code], stderr).toEqual([words, 0]);
    }
  } finally {
    host.end();
    bot.kill("SIGKILL");
  }
});
