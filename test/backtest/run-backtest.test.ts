import { describe, expect, it, onTestFinished, vi } from "vitest";
import { computeFigures } from "../../backtest/metric/figures.ts";
import { backtestTerms } from "../../backtest/options.ts";
import { UNFILLED_ENDS } from "../../backtest/record/run-record.ts";
import { NO_JOURNAL } from "../../backtest/replay/replay.ts";
import { type Backtest, runBacktest } from "../../backtest/run-backtest.ts";
import { resultOf } from "../../backtest/search/trial-result.ts";
import { err, ok, unwrap } from "../../src/domain/result.ts";
import { DEFAULT_REFERENCES } from "../../src/simulator/market/reference.ts";
import { prepareStrategy, type Strategy } from "../../src/strategy/prepare.ts";
import { defineStrategy, type Proposal, type View } from "../../src/strategy/strategy.ts";
import { LIMITS } from "../bot/bench.ts";
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
      expect(amount).toBe(tradingCore.books.accounts.held(asset)?.toString());
    expect(record.prices.map(({ symbol }) => symbol)).toEqual(["VCHF/CHF"]);
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
    expect(run(busy(), 2_600).record.fills.length).toBe(0);
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
