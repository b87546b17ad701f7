// `start` as a whole: real processes, the real embedded simulator, the real protocol.

import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

  test("writes the kill file when SIGUSR2 goes to the process id of npm start, and nobody trades on", async (context) => {
    const bot = botFolder(context);
    writeFileSync(
      join(bot.folder, "package.json"),
      JSON.stringify({ private: true, scripts: { start: `exec node "${LAUNCHER}" start --port 0` } }),
    );
    const program = bot.command("npm", "start");
    await logged(program, / trading$/);
    const pid = Number(/ pid (\d+),/.exec(program.stderr())?.[1]);
    expect([pid !== program.pid, isAlive(pid)]).toEqual([true, true]);
    program.kill("SIGUSR2");
    await until(() => !isAlive(pid), "the bot to end with npm");
    expect(existsSync(`${bot.journal}.KILL`)).toBe(true);
  });
});
