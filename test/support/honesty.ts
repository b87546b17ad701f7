// Strategies of every kind in a market with nothing to earn: what each reports beyond holding, over many seeds.

import { computeFigures } from "../../backtest/figures.ts";
import { unwrap } from "../../src/domain/result.ts";
import { DEFAULT_MARKET, withoutEdge } from "../../src/simulator/market/parameters.ts";
import { prepareStrategy, type Strategy } from "../../src/strategy/prepare.ts";
import { defineStrategy, ema } from "../../src/strategy/strategy.ts";
import { backtestOf, pegArbitrage } from "../backtest/stage.ts";

export type Verdict = {
  readonly strategy: string;
  readonly seeds: number;
  readonly fills: number;
  /** Profit over holding a seed, in the currency. */
  readonly mean: number;
  readonly error: number;
};

const SYMBOLS = ["VCHF/CHF", "VGBP/GBP"];

/** Follows or fades the distance from its average. */
function average(name: string, sign: 1 | -1): Strategy {
  const definition = defineStrategy({
    name,
    state: () => ({ one: ema(20), other: ema(20) }),
    decide({ quote, state, buy, sell, openOrders }) {
      const place = SYMBOLS.indexOf(quote.symbol);
      if (place < 0 || openOrders.length > 0) return undefined;
      const mid = (quote.bid + quote.ask) / 2;
      const away = (mid - (place === 0 ? state.one : state.other).next(mid)) * sign;
      return away >= 0
        ? buy(quote.symbol, { limit: quote.ask, size: 1_000, reason: "it rises" })
        : sell(quote.symbol, { limit: quote.bid, size: 1_000, reason: "it falls" });
    },
  });
  return unwrap(prepareStrategy(definition, {}));
}

function inTurn(): Strategy {
  const definition = defineStrategy({
    name: "in-turn",
    state: () => ({ count: 0 }),
    decide({ quote, state, buy, sell, openOrders }) {
      if (!SYMBOLS.includes(quote.symbol) || openOrders.length > 0) return undefined;
      state.count += 1;
      const ask = { size: 500, reason: "its turn" };
      return state.count % 2 === 1
        ? buy(quote.symbol, { ...ask, limit: quote.ask })
        : sell(quote.symbol, { ...ask, limit: quote.bid });
    },
  });
  return unwrap(prepareStrategy(definition, {}));
}

const STRATEGIES: readonly (() => Strategy)[] = [
  () => pegArbitrage(),
  () => pegArbitrage({ edgeBps: 0, skewBps: 0, slackBps: 5 }),
  () => average("momentum", 1),
  () => average("reversion", -1),
  inTurn,
];

export function honesty(seeds: number, lengthMs: number, told: (verdict: Verdict) => void = () => {}): Verdict[] {
  return STRATEGIES.map((make) => {
    const results: number[] = [];
    let fills = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const { record } = backtestOf(make(), lengthMs, { seed, market: withoutEdge(DEFAULT_MARKET) });
      const { profitOverHolding } = computeFigures(record);
      if (profitOverHolding.kind !== "known") throw new Error(`seed ${seed}: ${profitOverHolding.reason}`);
      results.push(profitOverHolding.value.toNumber());
      fills += record.fills.length;
    }
    const mean = results.reduce((sum, one) => sum + one, 0) / seeds;
    const variance = results.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (seeds - 1);
    const verdict = { strategy: make().name, seeds, fills, mean, error: Math.sqrt(variance / seeds) };
    told(verdict);
    return verdict;
  });
}
