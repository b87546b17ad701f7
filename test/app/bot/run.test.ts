// `run` as a whole: strategies of a user's file, swapped while it runs and continued after a kill; and what live mode refuses.

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type RunFlags, runCommand as run } from "../../../src/cli/command/run.ts";
import { generatePrivateKey } from "../../../src/exchange/key/load.ts";
import { completeConfig, type Plain } from "../../config/complete.ts";
import { isAlive } from "../../support/program.ts";
import { recordedShell } from "../../support/recorded-shell.ts";
import { writeColumns } from "../../support/write-columns.ts";
import { type BotFolder, botFolder, logged } from "./bot-process.ts";

/** Proposes a crumb at every tenth quote of one pair and says in its reason how far its average and its count have come. */
function strategy(word: string): string {
  return `import { defineStrategy, ema } from "pegbot/strategy";
export default defineStrategy({
  name: "counting",
  state: () => ({ average: ema(1000), quotes: 0 }),
  decide({ quote, state, sell }) {
    if (quote.symbol !== "VCHF/CHF") return undefined;
    state.quotes++;
    const average = state.average.next(quote.mid);
    if (state.quotes % 2 !== 0) return undefined;
    const reason = "${word} " + state.quotes + " average " + average.toFixed(9);
    return sell(quote.symbol, { limit: quote.bid, size: "1", reason });
  },
});
`;
}

function configured(bot: BotFolder, settings: Plain = { strategy: { use: "./counting.ts" } }): void {
  writeFileSync(join(bot.folder, "package.json"), '{ "private": true, "type": "module" }');
  writeFileSync(join(bot.folder, "pegbot.yaml"), JSON.stringify(settings));
}

/** As an editor does it: written beside, then moved over. */
function save(bot: BotFolder, text: string): void {
  writeFileSync(join(bot.folder, "counting.ts.new"), text);
  renameSync(join(bot.folder, "counting.ts.new"), join(bot.folder, "counting.ts"));
}

const COUNTED = /(\w+) (\d+) average (\d\.\d{9})/g;

function counted(text: string): readonly { word: string; quotes: number; average: string }[] {
  return [...text.matchAll(COUNTED)].map(([, word = "", quotes, average = ""]) => ({
    word,
    quotes: Number(quotes),
    average,
  }));
}

/** 0.9962, or half a step of the price grid below: the dealer reacts to our own sales. */
const RECORDED = /recorded \d+ average 0\.996(200|199[5-9])/;

describe("run on paper", () => {
  test("takes a saved strategy at a safe point, keeps the old one when the save is broken and says why", async (context) => {
    const bot = botFolder(context);
    configured(bot);
    save(bot, strategy("first"));
    const program = bot.pegbot("run", "--watch", "--port", "0");
    await logged(program, /first \d+ average/, 2);
    save(bot, strategy("first").replace("state.quotes++", "state.quotes++ +"));
    await logged(program, /the saved strategy is not taken, the old one goes on: .*counting\.ts/);
    // What only a later call would meet, and what the module itself meets.
    const mistakes = {
      "counting\\.ts:8: qoute is not defined": strategy("first").replace("quote.mid", "qoute.mid"),
      "counting\\.ts.*default export": strategy("first").replace("export default", "const unused ="),
      "counting\\.ts:2: at load": strategy("first").replace("\n", '\nthrow new Error("at load");'),
    };
    for (const [reason, text] of Object.entries(mistakes)) {
      save(bot, text);
      await logged(program, new RegExp(`the old one goes on: .*${reason}`));
    }
    const before = counted(program.stderr()).length;
    await logged(program, /first \d+ average/, before + 1);
    save(bot, strategy("second"));
    await logged(program, /second \d+ average/, 2);
    // The same name and the same shape of state: it counts on.
    const all = counted(program.stderr());
    const last = all.filter(({ word }) => word === "first").at(-1);
    const next = all.find(({ word }) => word === "second");
    expect(next?.quotes).toBeGreaterThan(last?.quotes ?? Number.POSITIVE_INFINITY);
    rmSync(join(bot.folder, "counting.ts"));
    await logged(program, /counting\.ts is gone: the strategy that was loaded from it goes on/);
    await logged(
      program,
      /second \d+ average/,
      counted(program.stderr()).filter(({ word }) => word === "second").length + 1,
    );
    program.kill("SIGTERM");
    expect((await program.ended()).code).toBe(0);
  });

  test("continues a strategy's average from its last safe point after SIGKILL", async (context) => {
    const bot = botFolder(context);
    configured(bot);
    save(bot, strategy("one"));
    const first = bot.pegbot("run", "--port", "0");
    await logged(first, /one \d+ average/, 12);
    first.kill("SIGKILL");
    await first.ended();
    const second = bot.pegbot("run", "--port", "0");
    await logged(second, /strategy counting continues from its last safe point/);
    await logged(second, /one \d+ average/);
    const counts = counted(first.stderr()).map(({ quotes }) => quotes);
    const resumed = counted(second.stderr())[0];
    // From a safe point: not from the beginning, and not further than it had come.
    expect(resumed?.quotes).toBeGreaterThan(10);
    expect(resumed?.quotes).toBeLessThanOrEqual((counts.at(-1) ?? 0) + 2);
    second.kill("SIGINT");
    await second.ended();
  });

  test("stops a strategy that calls process.exit as for any error, and goes on reading", async (context) => {
    const bot = botFolder(context);
    configured(bot);
    save(bot, strategy("first").replace("state.quotes++;", "if (++state.quotes > 1) process.exit(0);"));
    const program = bot.pegbot("run", "--port", "0");
    await logged(program, /decide of counting threw: Error: process\.exit would end the bot/);
    expect(isAlive(program.pid)).toBe(true);
    program.kill("SIGTERM");
    // Ended while HALTED.
    expect(await program.ended()).toMatchObject({ code: 5 });
    save(bot, `process.exit(0);\n${strategy("first")}`);
    const refused = bot.pegbot("run", "--port", "0");
    expect((await refused.ended()).code).not.toBe(0);
    expect(refused.stderr()).toContain("process.exit would end the bot");
  });

  test("trades at the prices of a recorded file, and its account stays on them", async (context) => {
    const bot = botFolder(context, { isOwnMarket: true });
    const rows = Array.from({ length: 600 }, (_, i) => `${Date.UTC(2025, 0, 6) + i * 1_000},0.9961,0.9963`);
    writeColumns(join(bot.folder, "VCHF-CHF.columns"), ["time,bid,ask", ...rows].join("\n"));
    const recorded = { strategy: { use: "./counting.ts" }, market: { source: "./VCHF-CHF.columns" } };
    configured(bot, recorded);
    save(bot, strategy("recorded"));
    const first = bot.pegbot("run", "--port", "0");
    await logged(first, RECORDED, 2);
    first.kill("SIGTERM");
    expect((await first.ended()).code).toBe(0);
    configured(bot, { strategy: { use: "./counting.ts" } });
    const other = bot.pegbot("run", "--port", "0");
    expect((await other.ended()).code).toBe(2);
    expect(other.stderr()).toMatch(/was opened on the recording with sha256 [0-9a-f]{12} .*is the synthetic market/);
  });

  test("ends when its time is over; its log is JSON where stderr is no terminal", async (context) => {
    const bot = botFolder(context);
    configured(bot, { mode: "paper" });
    const program = bot.pegbot("run", "--duration", "90s", "--port", "0");
    expect(await program.ended()).toEqual({ code: 0, signal: null });
    expect(program.lines().join("\n")).toContain("stopped (the time is over)");
    const lines = program
      .rawStderr()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ level: "info", event: "started", time: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(lines.map(({ event }) => event)).toEqual(expect.arrayContaining(["phase.trading", "order.filled"]));
  });
});

describe("run refuses", () => {
  test.for<[string, RunFlags, Plain, string]>([
    ["--watch without a strategy file", { watch: true }, { mode: "paper" }, "--watch needs a strategy file"],
    ["--watch with real money", { watch: true }, completeConfig(), "--watch is for paper mode"],
    ["a strategy that does not exist", {}, { strategy: { use: "./none.ts" } }, "none.ts: there is no such file"],
    [
      "an address that is not loopback on paper",
      {},
      { mode: "paper", venue: { baseUrl: "https://venue.example/api/v1/" } },
      "paper mode talks to loopback only",
    ],
    [
      "a recording that is not there",
      {},
      { mode: "paper", market: { source: "./prices.csv" } },
      "prices.csv: missing: there is no such file",
    ],
  ])("%s, with 2", async ([, flags, settings, message], context) => {
    const bot = botFolder(context);
    configured(bot, settings);
    const shell = recordedShell({ configFile: join(bot.folder, "pegbot.yaml") });
    const failure = await run(shell, { port: 0, ...flags }).then(String, (error: unknown) => error);
    expect(failure).toMatchObject({ code: 2 });
    expect(`${shell.stderr()}${String(failure)}`).toContain(message);
    // That it trades is said once it is true.
    expect(shell.stdout()).toBe("");
  });

  test("real money on a scaled clock", async (context) => {
    const bot = botFolder(context, { isOwnMarket: true });
    configured(bot, { ...completeConfig(), notices: {} });
    mkdirSync(join(bot.folder, "keys"));
    writeFileSync(join(bot.folder, "keys", "test.pem"), generatePrivateKey("p256"), { mode: 0o600 });
    const program = bot.pegbot("run", "--port", "0");
    expect((await program.ended()).code).toBe(2);
    expect(program.stderr()).toContain("PEGBOT_TIME_SCALE must not be set in live mode");
    expect(program.lines().join("\n")).not.toContain("REAL MONEY");
    expect(program.stderr()).not.toMatch(/^\s+at /m);
  });
});
