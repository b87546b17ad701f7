// The running bot and the machine below it: a real disk that fills up, and a real lock on the journal.

import { execFileSync, spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { journalAt, temporaryFolder, temporaryPath } from "../journal/place.ts";
import { openInProcess } from "../support/in-process.ts";
import { needs } from "../support/needs.ts";
import { TEST_MS_MAX } from "../support/patience.ts";
import { startBot, tradesInTurn } from "./bench.ts";

describe("a bot", () => {
  it("whose disk fills up sends nothing more, is halted for good, and says what to do", ({ skip }) => {
    needs("unshare", "mount");
    skip(spawnSync("unshare", ["-rm", "true"]).status !== 0, "a file system of its own may not be mounted here");
    const folder = temporaryFolder();
    const driver = resolve("test/bot/processes/full-disk.ts");
    const line = `mount -t tmpfs -o size=4m,mode=700 tmpfs ${folder}; exec "$0" --disable-warning=ExperimentalWarning "$1" "$2"`;
    const args = ["-rm", "sh", "-euc", line, process.execPath, driver, `${folder}/pegbot.db`];
    const said = JSON.parse(execFileSync("unshare", args, { encoding: "utf8", timeout: TEST_MS_MAX }));
    expect(said.before).toBeGreaterThan(2);
    expect(said.full).toMatchObject({ sent: 0, followed: { state: "HALTED" } });
    expect(said.full.followed.reason).toMatch(/^journal-full: .*free some disk space/);
    // A person decides when it goes on, not the room on the disk.
    expect(said.roomAgain).toEqual({ sent: 0, state: "HALTED" });
    expect(said.open).toBe(0);
  });

  it("whose journal another process keeps locked waits, sends nothing, and goes on as if nothing had been", async () => {
    const world = openInProcess({ seed: 1, funds: { CHF: "100000", VCHF: "100000" } });
    const path = temporaryPath();
    const journal = journalAt(path);
    const bot = startBot({ world, journal, strategy: await tradesInTurn() });
    await world.pass(15_000);
    const sends = () => bot.turns.reduce((sum, { turn }) => sum + turn.sends.length, 0);
    const before = sends();
    expect(before).toBeGreaterThan(0);
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const passes = async (isOver: () => boolean): Promise<void> => {
      // The journal waits by the machine's clock, the bot by its own.
      for (let tries = 0; !isOver() && tries < 500; tries++) {
        await world.pass(200);
        await new Promise((wake) => setTimeout(wake, 10));
      }
    };
    await passes(() => bot.phases.at(-1)?.kind === "unwritable");
    expect(bot.phases.at(-1)).toMatchObject({ kind: "unwritable", error: { code: "journal-locked" } });
    expect(sends()).toBe(before);
    other.exec("ROLLBACK");
    other.close();
    await passes(() => sends() > before + 1);
    expect(bot.phases.at(-1)).toEqual({ kind: "trading" });
    expect(bot.tradingCore.books.counters.state).toBe("ACTIVE");
    bot.stop();
    await world.pass(20_000);
    await bot.ended;
    journal.close();
    await world.close();
  });
});
