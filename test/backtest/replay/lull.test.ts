// Polls that cannot lead to anything are counted and not run, and the result is the same: decisions, fills, times and
// balances by the trace hash, and equity, peak, slots and holdings by the record.

import { describe, expect, it } from "vitest";
import type { BacktestOptions } from "../../../backtest/options.ts";
import type { Backtest } from "../../../backtest/run-backtest.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { SCENARIO_NAMES, type ScenarioName } from "../../../src/domain/scenario.ts";
import { millis } from "../../../src/domain/time.ts";
import { type MarketParameters, SCENARIOS } from "../../../src/simulator/market/parameters.ts";
import { builtInDefinition } from "../../../src/strategy/built-in.ts";
import { type BuiltInName, builtInNames } from "../../../src/strategy/built-in-names.ts";
import { prepareStrategy, type Strategy } from "../../../src/strategy/prepare.ts";
import { LIMITS } from "../../bot/bench.ts";
import { backtestOf, MINUTE } from "../stage.ts";

const CASES = 4;
const HOUR = 60 * MINUTE;
/** A Friday: the currency markets close at 22:00, and the day of the limits ends at midnight. */
const FRIDAY = Date.UTC(2026, 0, 9);

const PARAMS: Readonly<Record<BuiltInName, (random: Random) => object>> = {
  "peg-arbitrage": (random) => ({
    edgeBps: 8 * random.next(),
    skewBps: 20 * random.next(),
    ...(random.next() < 0.3 ? { stopBps: 5 } : {}),
  }),
  "reference-taker": () => ({ symbols: ["VGBP/VCHF"], edgeBps: 0, sigmas: 0.5 }),
  twap: (random) => ({ minutes: 5, slices: 4, size: 500, side: random.next() < 0.5 ? "buy" : "sell" }),
  "blind-taker": () => ({}),
};

/** A scenario, or the demo market with other pegs. */
function marketOf(random: Random): MarketParameters {
  const names = SCENARIO_NAMES.filter((name) => name !== "blind");
  const name = random.next() < 0.5 ? "demo" : (names[Math.floor(random.next() * names.length)] as ScenarioName);
  const market = SCENARIOS[name];
  if (name !== "demo") return market;
  const times = 0.2 + 2 * random.next();
  const pegs = Object.entries(market.pegs).map(([coin, peg]) => [
    coin,
    { ...peg, deviationBps: peg.deviationBps * times, halfLifeMs: peg.halfLifeMs * (0.1 + random.next()) },
  ]);
  const stress = { ...market.stress, chancePerDay: random.next() < 0.3 ? 1 : 0 };
  return { ...market, pegs: Object.fromEntries(pegs), stress, weekendCloses: random.next() < 0.5 };
}

type Counted = { readonly run: Backtest; readonly decided: number };

function counted(name: BuiltInName, params: object, lengthMs: number, changes: Partial<BacktestOptions>): Counted {
  const definition = builtInDefinition(name) as Strategy["definition"];
  let decided = 0;
  const decide = (view: Parameters<typeof definition.decide>[0]): unknown => {
    decided++;
    return definition.decide(view);
  };
  const strategy = unwrap(prepareStrategy({ ...definition, decide }, params));
  return { run: backtestOf(strategy, lengthMs, changes), decided };
}

/** Everything but the settings, which have the version and the time of nothing. */
function shownBy({ run }: Counted): object {
  const { record, tradingCore, traceHash, standing } = run;
  const { fills, unfilled, samples, slots, books, statement, refusals } = record;
  const { peak, day } = tradingCore.engine.books.counters;
  const counters = { peak: peak?.toString(), opening: day.opening?.toString(), orders: day.orders };
  return { traceHash, standing, fills, unfilled, samples, slots, books, statement, refusals, counters };
}

describe.each(Array.from({ length: CASES }, (_, seed) => seed))("with seed %i", (seed) => {
  it("a backtest that skips what leads to nothing is the one that runs every poll", () => {
    const random = createRandom(seed);
    const name = builtInNames[seed % builtInNames.length] as BuiltInName;
    const from = millis(FRIDAY + Math.floor(random.next() * 24 * HOUR));
    const params = PARAMS[name](random);
    const funds = { CHF: "20000", VCHF: "20000", ...(random.next() < 0.7 ? { GBP: "20000", VGBP: "20000" } : {}) };
    const limits = random.next() < 0.3 ? { ...LIMITS, dailyLossBpsMax: 10, drawdownBpsMax: 10 } : LIMITS;
    const given = { seed, from, to: millis(from + 4 * HOUR), funds, limits, market: marketOf(random) };
    const [all, some] = [false, true].map((skips) => counted(name, params, 0, { ...given, skips })) as [
      Counted,
      Counted,
    ];
    expect(shownBy(some), JSON.stringify({ name, params })).toEqual(shownBy(all));
    expect(some.decided).toBeLessThanOrEqual(all.decided);
  });
});

/** Equity at par is its own peak, so that no tick can be another. */
const IN_FRANCS = { CHF: "20000", VCHF: "20000" };

describe("polls", () => {
  it("of an idle peg-arbitrage are mostly skipped", () => {
    const [all, some] = [false, true].map((skips) =>
      counted("peg-arbitrage", { edgeBps: 400 }, 3 * HOUR, { skips, funds: IN_FRANCS }),
    ) as [Counted, Counted];
    expect(some.decided).toBeLessThan(all.decided / 2);
    expect(some.run.traceHash).toBe(all.run.traceHash);
  });

  it("run where the strategy declares nothing", () => {
    const [all, some] = [false, true].map((skips) => counted("reference-taker", {}, 20 * MINUTE, { skips })) as [
      Counted,
      Counted,
    ];
    expect(some.decided).toBe(all.decided);
  });
});
