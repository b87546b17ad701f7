// `start` as a whole: real processes, the real embedded simulator, the real protocol.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { LAUNCHER } from "../../cli/pegbot.ts";
import { isAlive, until } from "../../support/program.ts";
import { botFolder, CONFIRMED, FILLED, logged } from "./bot-process.ts";

describe("start", () => {
  test("trades on paper within a minute, ends cleanly, and goes on from its journal", async (context) => {
    const bot = botFolder(context);
    const first = bot.pegbot("start", "--port", "0");
    await logged(first, CONFIRMED, 2);
    expect(first.lines()[0]).toContain('market "demo": no real money');
    expect(first.lines()[1]).toContain("Demo market: prices built to be earned from");
    // The log has the bot's own time, ten times as fast.
    const times = [...first.stderr().matchAll(/^(\d\d):(\d\d):(\d\d) {2}(.*)$/gm)].map(([, h, m, s, text]) => ({
      at: (Number(h) * 60 + Number(m)) * 60 + Number(s),
      text,
    }));
    const begun = times[0]?.at ?? 0;
    const filled = times.find(({ text }) => FILLED.test(text ?? ""))?.at ?? Number.POSITIVE_INFINITY;
    expect((filled - begun + 86_400) % 86_400).toBeLessThan(60);
    expect(first.stderr()).toMatch(/(buy|sell) 400 V(CHF\/CHF|GBP\/GBP) at [\d.]+: (ask|bid) [\d.]+ is [\d.]+ bp/);
    first.kill("SIGINT");
    expect(await first.ended()).toEqual({ code: 0, signal: null });
    expect(first.lines().join("\n")).toMatch(
      /stopped \(SIGINT\); the journal is .*pegbot\.db\n(nothing is open|still open)/,
    );

    const second = bot.pegbot("start", "--port", "0");
    await logged(second, /strategy peg-arbitrage continues from its last safe point/);
    await logged(second, / trading$/);
    // The account has its market.
    expect(second.lines()[0]).toContain("on a simulator of its own");
    expect(second.stderr()).not.toContain("taken into the books");
    second.kill("SIGTERM");
    expect(await second.ended()).toEqual({ code: 0, signal: null });
    expect(existsSync(`${bot.journal}.KILL`)).toBe(false);
    expect(readdirSync(`${bot.folder}/data`)).not.toContain("pegbot.db.address");
  });

  test("refuses a second bot on the key; takes three Ctrl-C of one wish for one, and stops nothing else", async (context) => {
    const bot = botFolder(context);
    const program = bot.pegbot("start", "--port", "0");
    await logged(program, FILLED);
    const second = bot.pegbot("start", "--port", "0");
    expect((await second.ended()).code).toBe(1);
    expect(second.stderr()).toContain(
      `pegbot: key-held: another process uses this key: pegbot start, process ${program.pid}`,
    );
    expect(second.stderr()).toMatch(/started in .*; nothing was started; pegbot status there shows what it does/);
    expect(isAlive(program.pid)).toBe(true);
    for (let i = 0; i < 3; i++) program.killGroup("SIGINT");
    expect(await program.ended()).toEqual({ code: 0, signal: null });
    expect(existsSync(`${bot.journal}.KILL`)).toBe(false);
  });

  test("leaves no bot behind when its launcher is killed", async (context) => {
    const bot = botFolder(context, { scale: 1 });
    // Where the Node on PATH is old the launcher is one process and the bot another.
    const program = bot.command("node", LAUNCHER, "start", "--port", "0");
    await logged(program, / trading$/);
    const family = [program.pid, ...childrenOf(program.pid)];
    program.kill("SIGKILL");
    await until(() => family.every((pid) => !isAlive(pid)), `${family.join(", ")} to end`);
  });

  test.for([
    ["npm start", "npm", "start"],
    ["npx pegbot start", "npx", "--no", "pegbot", "start", "--port", "0"],
  ] as const)(
    "writes the kill file when SIGUSR2 goes to the process id of %s, and nobody trades on",
    async ([, name, ...args], context) => {
      const bot = botFolder(context);
      writeFileSync(
        join(bot.folder, "package.json"),
        JSON.stringify({ private: true, scripts: { start: `exec node "${LAUNCHER}" start --port 0` } }),
      );
      mkdirSync(join(bot.folder, "node_modules", ".bin"), { recursive: true });
      symlinkSync(LAUNCHER, join(bot.folder, "node_modules", ".bin", "pegbot"));
      const program = bot.command(name, ...args);
      await logged(program, / trading$/);
      const pid = Number(/ pid (\d+),/.exec(program.stderr())?.[1]);
      expect([pid !== program.pid, isAlive(pid)]).toEqual([true, true]);
      program.kill("SIGUSR2");
      await until(() => !isAlive(pid), "the bot to end with npm");
      expect(existsSync(`${bot.journal}.KILL`)).toBe(true);
    },
  );

  test("that a person halted stays HALTED after a restart, and says the way out", async (context) => {
    const bot = botFolder(context);
    const first = bot.pegbot("start", "--port", "0");
    await logged(first, FILLED);
    first.kill("SIGUSR2");
    await logged(first, /kill by SIGUSR2/);
    expect(isAlive(first.pid)).toBe(true);
    first.kill("SIGINT");
    expect((await first.ended()).code).toBe(5);
    expect(first.lines().join("\n")).toContain('way out: pegbot resume --reason "..."');

    const second = bot.pegbot("start", "--port", "0");
    await logged(second, / not trading, reading goes on$/);
    await sleep(2_000);
    expect(second.stderr()).not.toMatch(FILLED);
    second.kill("SIGINT");
    expect((await second.ended()).code).toBe(5);
  });

  test("says when its port is taken, and that a part of the account is missing", async (context) => {
    const bot = botFolder(context);
    const first = bot.pegbot("start", "--port", "0");
    await logged(first, /listening on http:\/\/127\.0\.0\.1:\d+/);
    const port = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(first.stderr())?.[1] ?? "";
    const other = botFolder(context);
    const second = other.pegbot("start", "--port", port);
    expect((await second.ended()).code).toBe(1);
    expect(second.stderr()).toContain(`port ${port} is taken; --port N takes another one`);
    writeFileSync(other.journal, "");
    const third = other.pegbot("start", "--port", "0");
    expect((await third.ended()).code).not.toBe(0);
    expect(third.stderr()).not.toMatch(/^\s+at /m);
    // A journal of something else: maybe of real money, so that nothing may be said of removing it.
    rmSync(`${other.journal}.key`);
    const fourth = other.pegbot("start", "--port", "0");
    expect((await fourth.ended()).code).toBe(2);
    expect(fourth.stderr()).toMatch(/pegbot\.db\.key is missing next to .*leave it alone: run this in another folder/);
    expect(fourth.stderr()).not.toMatch(/remove/);
    // The one that runs has no configuration, and is known to every command in its folder.
    const balances = bot.pegbot("balances");
    expect((await balances.ended()).code, balances.stderr()).toBe(0);
    expect(balances.lines().join("\n")).toMatch(/^CHF +\d/m);
    expect((await bot.pegbot("journal", "verify").ended()).code).toBe(0);
  });
});

function childrenOf(pid: number): number[] {
  const found: number[] = [];
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const parent = Number(/\) \S (\d+) /.exec(readFileSync(`/proc/${entry}/stat`, "utf8"))?.[1]);
      if (parent === pid || found.includes(parent)) found.push(Number(entry));
    } catch {
      // it ended meanwhile
    }
  }
  return found;
}
