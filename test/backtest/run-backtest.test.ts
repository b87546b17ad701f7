import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { computeFigures } from "../../backtest/metric/figures.ts";
import { backtestTerms } from "../../backtest/options.ts";
import { fromJournal } from "../../backtest/record/from-journal.ts";
import { type RunRecord, UNFILLED_ENDS } from "../../backtest/record/run-record.ts";
import { NO_JOURNAL } from "../../backtest/replay/replay.ts";
import { renderJson } from "../../backtest/report/export.ts";
import { runReport } from "../../backtest/report/run-report.ts";
import { type Backtest, runBacktest } from "../../backtest/run-backtest.ts";
import { resultOf } from "../../backtest/search/trial-result.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { err, ok, unwrap } from "../../src/domain/result.ts";
import type { Step } from "../../src/domain/step.ts";
import { DEMO_MARKET } from "../../src/simulator/market/parameters.ts";
import { DEFAULT_REFERENCES } from "../../src/simulator/market/reference.ts";
import { prepareBuiltIn } from "../../src/strategy/built-in.ts";
import { loadStrategyFile } from "../../src/strategy/load-file.ts";
import { prepareStrategy, type Strategy } from "../../src/strategy/prepare.ts";
import { defineStrategy, type Proposal, type View } from "../../src/strategy/strategy.ts";
import { LIMITS } from "../bot/bench.ts";
import { temporaryFolder } from "../journal/place.ts";
import { START } from "../support/lockstep.ts";
import { backtestOf, MINUTE, optionsOf, pegArbitrage } from "./stage.ts";

/** Always the same wish for one pair. */
function wishing(wish: (view: View<object, object, "quote">) => Proposal | undefined): Strategy {
  const definition = defineStrategy({
    name: "wishing",
    decide(view: View<object, object, "quote">) {
      return view.quote.symbol === "VCHF/CHF" && view.openOrders.length === 0 ? wish(view) : undefined;
    },
  });
  return unwrap(prepareStrategy(definition, {}));
}

const endsOf = ({ record }: Backtest): Set<string> =>
  new Set([...record.unfilled.end].map((end) => UNFILLED_ENDS[end] as string));
const reason = "a test";

describe("a backtest whose journal takes no more", () => {
  it("ends at once with what the journal says, and writes nothing after it", () => {
    let calls = 0;
    const announce = vi.spyOn(NO_JOURNAL, "announce").mockImplementation(() => {
      if (++calls < 6) return ok(undefined);
      return err({ code: "journal-full", message: "no room for the journal" }) as never;
    });
    onTestFinished(() => announce.mockRestore());
    expect(() => backtestOf(pegArbitrage(), MINUTE)).toThrow("no room for the journal");
    expect(calls).toBe(6);
  });
});

describe("the record of a backtest", () => {
  it("opens with the funds and closes with what the bot holds, to the last digit", () => {
    const funds = { CHF: "1234.56789", VCHF: "9876.54321" };
    const { record, tradingCore } = backtestOf(pegArbitrage({ edgeBps: 0, skewBps: 0 }), 20 * MINUTE, {
      funds,
      seed: 5,
    });
    expect(Object.fromEntries((record.books.opening ?? []).map(({ asset, amount }) => [asset, amount]))).toEqual(funds);
    expect(record.fills.length).toBeGreaterThan(0);
    for (const { asset, amount } of record.books.closing)
      expect(amount).toBe(tradingCore.engine.context.accounts.held(asset)?.toString());
    expect(record.prices.map(({ symbol }) => symbol)).toEqual(["VCHF/CHF"]);
  });

  it("is what the steps alone come to: the same fills and results, whoever keeps the books", () => {
    const steps: Step[] = [];
    const terms = { ...backtestTerms, feeBps: 2 };
    const watch = { step: (step: Step) => void steps.push(step) };
    const funds = { CHF: "100000", VCHF: "100000" };
    const toAndFro = wishing(({ quote, buy, sell, now }) =>
      Math.floor(now / 20_000) % 2 === 0
        ? buy(quote.symbol, { limit: quote.ask * 1.001, size: 100, reason })
        : sell(quote.symbol, { limit: quote.bid * (now % 3 === 0 ? 1.0005 : 0.999), size: 70, reason }),
    );
    const { record } = backtestOf(toAndFro, 5 * MINUTE, { terms, watch, funds, seed: 3 });
    const { settings, samples } = record;
    const folded = fromJournal(() => steps, { ...settings, pars: new Map() });
    expect(record.fills.realised.some((realised) => realised !== undefined)).toBe(true);
    const { mids: _, ...fills } = record.fills;
    expect(folded.fills).toMatchObject(fills);
    expect(record.unfilled.length).toBeGreaterThan(0);
    expect(folded.unfilled.id).toEqual(record.unfilled.id);
    const amounts = ({ books }: RunRecord) => books.closing.map(({ asset, amount }) => `${amount} ${asset}`);
    expect(amounts(folded)).toEqual(expect.arrayContaining(amounts(record)));
    // After each fill, what the books held then.
    for (const [row, at] of record.fills.time.entries()) {
      const place = samples.time.lastIndexOf(at);
      const other = folded.samples.time.lastIndexOf(at);
      for (const { asset, held } of samples.assets)
        expect(folded.samples.assets.find((one) => one.asset === asset)?.held[other], `fill ${row}, ${asset}`).toBe(
          held[place],
        );
    }
  });

  it("counts from its first moment to its last: thirty days are thirty days, and growth a year is known", () => {
    const strategy = pegArbitrage();
    const terms = { ...backtestTerms, quotesMs: 3_600_000 };
    const { record } = backtestOf(strategy, 30 * 24 * 60 * MINUTE, {
      terms,
      references: [],
      funds: { CHF: "100000", VCHF: "100000" },
    });
    const { time, length } = record.samples;
    expect([time[0], time[length - 1]]).toEqual([record.settings.from, record.settings.to]);
    expect(computeFigures(record).cagr.kind).toBe("known");
  });

  it("tells a kill for the price from one for the size, which the bot is not told", () => {
    const far = wishing(({ quote, buy }) => buy(quote.symbol, { limit: quote.bid * 0.9995, size: 100, reason }));
    expect(endsOf(backtestOf(far, 2 * MINUTE))).toEqual(new Set(["unfilled-price"]));
    const large = wishing(({ quote, buy }) => buy(quote.symbol, { limit: quote.ask * 1.002, size: 45_000, reason }));
    const funds = { CHF: "900000", VCHF: "1000" };
    expect(endsOf(backtestOf(large, 2 * MINUTE, { funds }))).toContain("unfilled-depth");
  });

  it("counts a coin at the lower of par and the bid: who buys at the ask is a spread poorer at once", () => {
    const once = wishing(({ quote, buy, fills }) =>
      fills.length > 0 ? undefined : buy(quote.symbol, { limit: quote.ask * 1.001, size: 10_000, reason }),
    );
    const { record } = backtestOf(once, MINUTE);
    const [one] = computeFigures(record).markout;
    expect(one).toMatchObject({ seconds: 1 });
    const held = record.samples.time.findIndex((at) => at >= (record.fills.time[0] as number));
    const cost = (record.samples.benchmark[held] as number) - (record.samples.equity[held] as number);
    // 10,000 at 6 bp, give or take what the price moved on the way.
    expect(cost).toBeGreaterThan(4.5);
    expect(cost).toBeLessThan(7.5);
  });

  it("lets a decision wait before its order asks for a slot, and nothing else", () => {
    const busy = () => wishing(({ quote, buy }) => buy(quote.symbol, { limit: quote.ask * 1.001, size: 100, reason }));
    const idle = () => wishing(() => undefined);
    const run = (strategy: Strategy, decisionMs: number): Backtest =>
      backtestOf(strategy, 3 * MINUTE, { terms: { ...backtestTerms, decisionMs } });
    const waits = ({ record: { fills } }: Backtest): number[] =>
      [...fills.time].map((at, row) => at - (fills.decidedAt[row] as number));
    expect(Math.min(...waits(run(busy(), 0)))).toBeLessThan(1_500);
    const late = run(busy(), 1_600);
    expect(late.record.fills.length).toBeGreaterThan(5);
    // The slot that was free in the meantime went to something else; the order has its own after that, and its way.
    expect(Math.min(...waits(late))).toBeGreaterThanOrEqual(1_600);
    expect(run(idle(), 1_600).record.slots).toEqual(run(idle(), 0).record.slots);
    // Within the 3 s that a decision may be old, and after the last slot in them.
    expect(late.record.settings.cautions).toEqual([]);
    const lapsed = run(busy(), 2_600).record;
    expect([lapsed.fills.length, lapsed.settings.cautions]).toEqual([
      0,
      [
        expect.stringMatching(
          /^few orders or none are sent: with --decision 2600ms and 1000 ms from .*decisionAgeMsMax: 3000 ms/,
        ),
      ],
    ]);
  });

  it("says why the bot stopped trading", () => {
    const busy = wishing(({ quote, buy }) => buy(quote.symbol, { limit: quote.ask * 1.001, size: 1_000, reason }));
    const limits = { ...LIMITS, ordersPerDayMax: 5 };
    const stopped = backtestOf(busy, 5 * MINUTE, { limits });
    const { standing, record } = stopped;
    expect(standing.state).toBe("HALTED");
    const { since, reason: why } = standing;
    expect(record.ended).toEqual({ state: "HALTED", since, reason: why });
    // A limit is a result; what the strategy broke by itself is none.
    expect(resultOf("limit", stopped).fault).toBeUndefined();
    const broken = wishing(({ quote }) => quote.symbol.repeat(-1) as never);
    expect(resultOf("threw", backtestOf(broken, MINUTE)).fault).toMatch(/^strategy stopped: decide of .* threw: /);
    const { exit } = process;
    const leaving = wishing(() => process.exit(0));
    // By the line of whoever called it.
    expect(resultOf("left", backtestOf(leaving, MINUTE)).fault).toMatch(
      /threw: Error: process\.exit would end the bot: .* \(run-backtest\.test\.ts:\d+\)$/,
    );
    expect(process.exit).toBe(exit);
    expect(backtestOf(pegArbitrage(), MINUTE).record.ended).toEqual({ state: "ACTIVE" });
  });

  it("stops at the safe point at which the running bot would, where a state cannot be saved", () => {
    const state = (): { n: number; seen: unknown } => ({ n: 0, seen: undefined });
    const spoilt = defineStrategy({
      name: "spoilt",
      state,
      decide({ state }) {
        if (++state.n === 30) state.seen = new Map();
        return undefined;
      },
    });
    const { standing } = backtestOf(unwrap(prepareStrategy(spoilt, {})), 2 * MINUTE);
    expect(standing).toMatchObject({
      state: "HALTED",
      reason: expect.stringContaining("state.seen must be plain data"),
    });
    expect((standing.since as number) - START).toBeLessThan(30_000);
  });

  it("keeps the strategy's last word, and shows it at the head, in the report and in JSON", () => {
    const waiting = defineStrategy({ name: "waiting", decide: ({ note }) => note("waits for <6 bp") });
    const { record } = backtestOf(unwrap(prepareStrategy(waiting, {})), MINUTE);
    const { at, text } = record.said ?? {};
    expect([text, (at as number) - START < 10_000]).toEqual(["waits for <6 bp", true]);
    const figures = computeFigures(record);
    expect(runReport(record, figures).notes).toContainEqual(
      expect.stringMatching(/^waiting says since 2026-\d\d-\d\d \d\d:\d\d: waits for <6 bp$/),
    );
    expect(JSON.parse(JSON.stringify(renderJson(record, figures))).said).toEqual({ at, text });
  });

  it("shows the hidden prices at the end at the head, in the report and in JSON, where the venue shows no quotes", () => {
    const market = { ...DEMO_MARKET, venue: { ...DEMO_MARKET.venue, quotesShown: false } };
    const par = new Map([["VCHF/CHF" as PairSymbol, { bandBps: 50, isAlone: true }]]);
    const { record } = backtestOf(unwrap(prepareBuiltIn("blind-taker", {})), 2 * MINUTE, { market, par });
    const figures = computeFigures(record);
    const line = expect.stringMatching(
      /^hidden prices of VCHF\/CHF at the end, in 90 of 100 cases: bid \d\.\d{5} to \d\.\d{5}, ask \d\.\d{5} to \d\.\d{5}; last outcome \d+ /,
    );
    expect(runReport(record, figures).notes).toContainEqual(line);
    expect(JSON.parse(JSON.stringify(renderJson(record, figures))).hidden).toEqual(record.hidden);
    expect(backtestOf(unwrap(prepareBuiltIn("blind-taker", {})), MINUTE).record.hidden).toEqual([]);
  });

  it("keeps the first timer that a strategy sets, and says at the head that nothing of it comes", () => {
    const { setImmediate } = globalThis;
    const later = { name: "later", decide: () => void globalThis.setImmediate(() => {}) };
    const { record } = backtestOf(unwrap(prepareStrategy(later, {})), MINUTE);
    expect(record.timer).toBe("setImmediate");
    expect(globalThis.setImmediate).toBe(setImmediate);
    const figures = computeFigures(record);
    const told =
      "the strategy uses setImmediate: a strategy has no timer of its own, nothing of it comes in a backtest, and live whatever it throws ends the bot";
    expect(runReport(record, figures).notes).toContain(told);
    expect(JSON.parse(JSON.stringify(renderJson(record, figures))).timer).toBe("setImmediate");
    expect(backtestOf(pegArbitrage(), MINUTE).record.timer).toBeUndefined();
  });

  it("says at the head that a strategy's file uses a clock or a chance, with its line, and goes on", async () => {
    const { Date: date } = globalThis;
    const { random } = Math;
    const contract = new URL("../../src/strategy/strategy.ts", import.meta.url).href;
    const outsideOf = async (expression: string) => {
      const path = join(temporaryFolder(), "drawn.ts");
      const text = `import { defineStrategy } from "${contract}";\nexport default defineStrategy({ name: "drawn", decide: () => void (${expression}) });`;
      writeFileSync(path, text);
      return backtestOf(unwrap(await loadStrategyFile(path, {})), MINUTE / 4).record;
    };
    for (const [expression, name] of [
      ["Math.random()", "Math.random"],
      ["Date.now()", "Date.now"],
      ["new Date()", "new Date()"],
      ["performance.now()", "performance.now"],
    ] as const)
      expect((await outsideOf(expression)).outside).toBe(`${name} at drawn.ts:2`);
    expect((await outsideOf("new Date(0)")).outside).toBeUndefined();
    const record = await outsideOf("Math.random()");
    const figures = computeFigures(record);
    const told =
      "the strategy uses Math.random at drawn.ts:2: a strategy has no clock and no chance of its own, so the same run may come to something else, and these figures are of one of them (pegbot backtest check says whether it does)";
    expect(runReport(record, figures).notes).toContain(told);
    expect(JSON.parse(JSON.stringify(renderJson(record, figures))).outside).toBe("Math.random at drawn.ts:2");
    expect([globalThis.Date, Math.random]).toEqual([date, random]);
    // What shows how far a run is may look at a clock.
    const watch = { reached: () => void Date.now() };
    const plain = unwrap(runBacktest({ ...optionsOf(pegArbitrage(), MINUTE / 4), watch }));
    expect(plain.record.outside).toBeUndefined();
  });

  it("counts every request, never more than the pace allows", () => {
    const { record } = backtestOf(pegArbitrage(), 10 * MINUTE);
    const requests = record.slots?.counts.reduce((sum, count) => sum + count, 0) ?? 0;
    expect(requests).toBeGreaterThan(0.9 * 600);
    expect(requests).toBeLessThanOrEqual(600);
  });
});

it("a source of prices that cannot be told from another is refused by name", () => {
  const [first] = DEFAULT_REFERENCES;
  if (first === undefined) throw new Error("there are two");
  const errorOf = (...names: string[]): unknown =>
    runBacktest(optionsOf(pegArbitrage(), MINUTE, { references: names.map((name) => ({ ...first, name })) }));
  expect(errorOf("venue")).toMatchObject({ ok: false, error: expect.stringContaining("must not be called venue") });
  expect(errorOf("a", "b", "a")).toMatchObject({ ok: false, error: expect.stringContaining("a is there twice") });
});

it("a backtest that cannot be set up says why", () => {
  const result = runBacktest(optionsOf(pegArbitrage(), MINUTE, { funds: { XYZ: "1" } }));
  expect(result).toMatchObject({ ok: false, error: expect.stringContaining("XYZ") });
});
