// Markets whose prices are hidden, inside and outside what `HiddenPrice` assumes, and one run over each: by `blind-taker`,
// or by orders at a fixed interval, one side of a pair after the other, with the same limits.

import { backtestTerms } from "../../backtest/options.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import type { ReliabilityFigures } from "../../src/domain/reliability.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { type MarketParameters, type PegParameters, SCENARIOS } from "../../src/simulator/market/parameters.ts";
import { blindTaker } from "../../src/strategy/blind-taker.ts";
import { prepareStrategy, type Strategy } from "../../src/strategy/prepare.ts";
import { defineStrategy, type Proposal, z } from "../../src/strategy/strategy.ts";
import { affordable, holdingsOf, SIDES, skewOf } from "../../src/strategy/taking.ts";
import { backtestOf } from "../backtest/stage.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** A Monday. */
const FROM = millis(Date.UTC(2026, 0, 5));
const SYMBOLS = ["VCHF/CHF", "VGBP/GBP"];

/** Prices that return within minutes look like adverse ones. */
const LIMITS = { ...paperLimits, adverseBpsMax: "off: not judged here" as const };

const { demo, calibrated } = SCENARIOS;
const CALM = { ...demo, stress: { ...demo.stress, chancePerDay: 0 } };

/** How far and for how long prices stray, and half the spread. */
function straying(deviationBps: number, halfLifeMs: number, halfSpreadBps: number, market = CALM): MarketParameters {
  const peg = (symbol: "VCHF" | "VGBP"): PegParameters => ({
    ...(market.pegs[symbol] as PegParameters),
    deviationBps,
    halfLifeMs,
    floorBps: 10_000,
  });
  const pairs = Object.fromEntries(SYMBOLS.map((symbol) => [symbol, { ...market.pairs[symbol], halfSpreadBps }]));
  return {
    ...market,
    pegs: { ...market.pegs, VCHF: peg("VCHF"), VGBP: peg("VGBP") },
    pairs: { ...market.pairs, ...pairs } as MarketParameters["pairs"],
  };
}

export const TRUTHS = {
  "inside: narrow": straying(12, 40 * MINUTE, 4),
  "inside: wide": straying(24, 160 * MINUTE, 8),
  "outside: between": { ...straying(8, 25 * MINUTE, 3), spreadSigma: 0.5 },
  "outside: quick": straying(16, 5 * MINUTE, 3),
  "outside: dealer": straying(14, 80 * MINUTE, 6, {
    ...calibrated,
    dealing: { ...calibrated.dealing, refusedShare: 0.15, impactBps: 3 },
  }),
  "outside: episodes": { ...straying(5, 60 * MINUTE, 3), stress: { ...demo.stress, chancePerDay: 0.7 } },
} satisfies Readonly<Record<string, MarketParameters>>;
export type Truth = keyof typeof TRUTHS;

/** `in turn`: at even times, whatever became of the last; `again`: the same, and one that filled goes again at once. */
const CHOICES = ["taught", "in turn", "again"] as const;
type Trial = {
  readonly truth: Truth;
  readonly seed: number;
  readonly days: number;
  readonly choice: (typeof CHOICES)[number];
};

export function trial({ truth, seed, days, choice }: Trial): ReliabilityFigures {
  const market = { ...TRUTHS[truth], venue: { ...TRUTHS[truth].venue, quotesShown: false } };
  const params = choice === "taught" ? { exploreShare: 0.05 } : { isAgain: choice === "again" };
  const strategy: Strategy = unwrap(prepareStrategy(choice === "taught" ? blindTaker : inTurn, params));
  const { record, standing } = backtestOf(strategy, days * DAY, {
    ...{ seed, from: FROM, to: millis(FROM + days * DAY), market, limits: LIMITS },
    par: new Map(SYMBOLS.map((symbol) => [symbol as PairSymbol, { bandBps: 50, isAlone: true }])),
    terms: { ...backtestTerms, latencyMs: market.venue.latencyMs, quotesMs: 60_000 },
  });
  if (record.reliability === undefined || standing.state === "HALTED")
    throw new Error(`${truth}, seed ${seed}: must order and stay active, was ${standing.state} ${standing.reason}`);
  return record.reliability;
}

type State = { at: number; place: number; day: number; orders: number };

const inTurn = defineStrategy({
  name: "in-turn",
  params: (blindTaker.params as NonNullable<typeof blindTaker.params>).extend({ isAgain: z.boolean() }),
  stateParams: [],
  state: (): State => ({ at: 0, place: 0, day: 0, orders: 0 }),
  decide: () => undefined,
  blind(view): Proposal | undefined {
    const { state, params, now, fills, openOrders, wake } = view;
    const day = Math.floor(now / DAY);
    if (day !== state.day) Object.assign(state, { day, orders: 0 });
    if (wake !== "timer" || openOrders.length > 0 || state.orders >= params.ordersPerDay) return undefined;
    const isAgain = params.isAgain && fills.some(({ decidedAt }) => decidedAt === state.at);
    if (now - state.at < (isAgain ? 2 * params.pauseMs : DAY / params.ordersPerDay)) return undefined;
    const places = SIDES.flatMap((side) => params.symbols.map((symbol) => ({ symbol, side })));
    if (!isAgain) state.place = (state.place + 1) % places.length;
    const { symbol, side } = places[state.place] as (typeof places)[number];
    state.at = now;
    const value = view.fairOf(symbol);
    const held = value === undefined ? undefined : holdingsOf(view, symbol, value);
    if (value === undefined || held === undefined) return undefined;
    const wantedBps = params.edgeBps + skewOf(view, side, held);
    const limit = value * (1 + ((side === "buy" ? -1 : 1) * wantedBps) / 1e4);
    const size = Math.min(params.size, affordable(view, symbol, side, limit));
    const order = view[side](symbol, { limit, size, reason: "in turn" });
    if (view.refusalOf(order) !== undefined) return undefined;
    state.orders++;
    return order;
  },
});
