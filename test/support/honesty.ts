// Strategies of every kind in a market with nothing to earn: a price that walks, half a spread to pay, no deviation to come
// back from. What each reports beyond holding over many seeds, and whether each fill was dealt at the price of its moment.

import { computeFigures } from "../../backtest/metric/figures.ts";
import { assetsOf, type PairSymbol } from "../../src/domain/asset.ts";
import type { Fill } from "../../src/domain/order.ts";
import { createRandom } from "../../src/domain/random.ts";
import { unwrap } from "../../src/domain/result.ts";
import type { Step } from "../../src/domain/step.ts";
import { emptyTop, type Market } from "../../src/simulator/market/market.ts";
import { DEMO_MARKET, type MarketParameters, withoutEdge } from "../../src/simulator/market/parameters.ts";
import { DEFAULT_REFERENCES } from "../../src/simulator/market/reference.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import { prepareStrategy, type Strategy } from "../../src/strategy/prepare.ts";
import { defineStrategy, ema, type View } from "../../src/strategy/strategy.ts";
import { backtestOf, pegArbitrage } from "../backtest/stage.ts";
import { LIMITS } from "../bot/bench.ts";

export type Verdict = {
  readonly strategy: string;
  readonly seeds: number;
  readonly fills: number;
  /** Profit over holding a seed, in the currency. */
  readonly mean: number;
  readonly error: number;
  /** Fills at another price than the market's at their moment. */
  readonly misdealt: number;
};

/** So long a price stands: a row of the data, and long enough that knowing the next one is worth a slot. */
const ROW_MS = 5_000;
const SYMBOL = "USDC/CHF" as PairSymbol;
const { base: COIN } = assetsOf(SYMBOL);
const SIZE = 10_000;
/** Beyond the price on show, so that orders fill wherever the price went on the way. */
const SLACK = 20 / 1e4;
const HALF_SPREAD_BPS = 0.5;
/** The venue's grid of prices. */
const TICK = 1e-6;
const OFF = "off: the market is too wild for it" as const;

const FLAT = withoutEdge(DEMO_MARKET);

/** Four basis points a row against half a one of spread: who could see the next row would earn with every order. */
const WALKING: MarketParameters = {
  ...FLAT,
  gridMs: ROW_MS,
  references: { ...FLAT.references, USD: { levelChf: 0.8, volatilityPerYear: 1, kind: "fiat" } },
  pairs: {
    ...FLAT.pairs,
    [SYMBOL]: { halfSpreadBps: HALF_SPREAD_BPS, depth: 1_000_000, noiseBps: 0, noiseHalfLifeMs: 1 },
  },
};

/** The gate lets out what has a fair value: both feeds know the pair. */
const FUNDS = { CHF: "100000", USDC: "100000" };
const LIMITED = { ...LIMITS, lossesMax: OFF, dailyLossBpsMax: OFF, drawdownBpsMax: OFF };

type Wish = "long" | "short" | undefined;

/** Holds one size more or one less than at the start, as it is wished; never further away, so that noise stays small. */
function holding<S extends object>(name: string, state: () => S, wish: (mid: number, state: S) => Wish): Strategy {
  const definition = defineStrategy({
    name,
    state: () => ({ own: state(), start: undefined as number | undefined }),
    decide({ quote, state: kept, openOrders, balanceOf, buy, sell }: View<object, Kept<S>, "quote">) {
      if (quote.symbol !== SYMBOL) return undefined;
      const held = balanceOf(COIN)?.available;
      kept.start ??= held;
      const wished = wish(quote.mid, kept.own);
      if (held === undefined || kept.start === undefined || openOrders.length > 0) return undefined;
      const away = held - kept.start;
      if (wished === "long" && away < SIZE / 2)
        return buy(SYMBOL, { limit: quote.ask * (1 + SLACK), size: SIZE, reason: "it rises" });
      if (wished === "short" && away > -SIZE / 2)
        return sell(SYMBOL, { limit: quote.bid * (1 - SLACK), size: SIZE, reason: "it falls" });
      return undefined;
    },
  });
  return unwrap(prepareStrategy(definition, {}));
}

type Kept<S> = { own: S; start: number | undefined };

/** Follows the last change of the price, or fades it. */
function lastChange(name: string, rising: "long" | "short"): Strategy {
  const falling = rising === "long" ? "short" : "long";
  const state = () => ({ last: Number.NaN, wish: undefined as Wish });
  return holding(name, state, (mid, kept) => {
    if (mid !== kept.last && !Number.isNaN(kept.last)) kept.wish = mid > kept.last ? rising : falling;
    kept.last = mid;
    return kept.wish;
  });
}

function aroundAverage(): Strategy {
  return holding(
    "reversion",
    () => ({ average: ema(20) }),
    (mid, { average }) => (mid > average.next(mid) ? "short" : "long"),
  );
}

function tossing(seed: number): Strategy {
  const random = createRandom(seed).fork("tossing");
  return holding(
    "random",
    () => ({}),
    () => (random.next() < 0.5 ? "long" : "short"),
  );
}

/** Never waits, wants nothing: it trades whenever the price has left what the references last said. */
function eager(): Strategy {
  return pegArbitrage({
    symbols: [SYMBOL],
    edgeBps: 0,
    skewBps: 0,
    slackBps: 20,
    pauseMs: 0,
    profitMin: 0,
    size: SIZE / 10,
  });
}

const STRATEGIES: Readonly<Record<string, (seed: number) => Strategy>> = {
  momentum: () => lastChange("momentum", "long"),
  fading: () => lastChange("fading", "short"),
  reversion: aroundAverage,
  random: tossing,
  "peg-arbitrage": eager,
};

export type HonestyOptions = {
  readonly seeds: number;
  readonly lengthMs: number;
  readonly strategies?: readonly string[];
  readonly told?: (verdict: Verdict) => void;
};

export function honesty({ seeds, lengthMs, strategies = Object.keys(STRATEGIES), told }: HonestyOptions): Verdict[] {
  return strategies.map((strategy) => {
    const make = STRATEGIES[strategy];
    if (make === undefined) throw new RangeError(`strategy must be one of the list, was ${strategy}`);
    const results: number[] = [];
    const counts = { fills: 0, misdealt: 0 };
    for (let seed = 1; seed <= seeds; seed++) {
      const market = syntheticMarket(seed, WALKING);
      const step = (one: Step): void => {
        const fill = filledOf(one);
        if (fill === undefined) return;
        counts.fills++;
        if (!isDealt(fill, market)) counts.misdealt++;
      };
      const run = {
        seed,
        market: WALKING,
        references: DEFAULT_REFERENCES,
        funds: FUNDS,
        limits: LIMITED,
        watch: { step },
      };
      const { record, standing } = backtestOf(make(seed), lengthMs, run);
      if (standing.state !== "ACTIVE") throw new Error(`seed ${seed}, ${strategy}: ${standing.reason}`);
      const { profitOverHolding } = computeFigures(record);
      if (profitOverHolding.kind !== "known") throw new Error(`seed ${seed}, ${strategy}: ${profitOverHolding.reason}`);
      results.push(profitOverHolding.value.toNumber());
    }
    const verdict = { strategy, seeds, ...counts, ...noiseOf(results) };
    told?.(verdict);
    return verdict;
  });
}

/** What speaks against the fill model: profit beyond noise, and fills that nobody would have dealt. */
export function complaints(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap(({ strategy, seeds, fills, mean, error, misdealt }) => [
    ...(mean > 3 * error ? [`${strategy} earns ${mean.toFixed(2)} a run, noise is ${error.toFixed(2)}`] : []),
    ...(misdealt > 0 ? [`${strategy}: ${misdealt} of ${fills} fills are not at the price of their moment`] : []),
    ...(fills < 5 * seeds ? [`${strategy} fills ${fills} times, which shows nothing`] : []),
  ]);
}

function noiseOf(results: readonly number[]): { readonly mean: number; readonly error: number } {
  const mean = results.reduce((sum, one) => sum + one, 0) / results.length;
  const variance = results.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (results.length - 1);
  return { mean, error: Math.sqrt(variance / results.length) };
}

function filledOf({ event }: Step): Fill | undefined {
  return event.kind === "report" && event.report.kind === "filled" && !event.report.confirmed
    ? event.report.fill
    : undefined;
}

/** At the ask or bid of the moment, never better and at most a step of the grid worse. */
function isDealt({ side, symbol, bought, sold, at }: Fill, market: Market): boolean {
  const top = emptyTop();
  if (at === undefined || !market.read(symbol, at, top)) return false;
  const price = side === "buy" ? sold.toNumber() / bought.toNumber() : bought.toNumber() / sold.toNumber();
  const worse = side === "buy" ? price - top.ask : top.bid - price;
  return worse > -1e-9 && worse < 1.01 * TICK;
}
