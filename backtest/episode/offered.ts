// What the synthetic market has for a strategy before any run: how long, and by how much, its prices are better than
// fair (par, and rates between currencies), which is where a taker of prices can earn.

import { type Asset, assetsOf, type PairSymbol } from "../../src/domain/asset.ts";
import { millis } from "../../src/domain/time.ts";
import { emptyTop, type Market } from "../../src/simulator/market/market.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import type { Trial } from "../search/trial.ts";
import type { Episode, Kind } from "./episodes.ts";

export type Offered = {
  readonly kind: Kind;
  /** Of one run, the mean over the seeds: with a price better than fair by more than is wanted. */
  readonly hours: number;
  readonly bestBps: number;
};

const STEP_MS = 600_000;
const HOUR_MS = 3_600_000;

/** `wantedBps`: what the strategy asks for beyond fair, and the fee. */
export function offeredIn(
  episodes: readonly Episode[],
  symbols: readonly PairSymbol[],
  wantedBps: number,
): readonly Offered[] {
  const kinds = [...new Set(episodes.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const runs = episodes.filter((one) => one.kind === kind).map(({ trial }) => seenIn(trial, symbols, wantedBps));
    const hours = runs.reduce((sum, one) => sum + one.hours, 0) / runs.length;
    return { kind, hours, bestBps: Math.max(...runs.map(({ bestBps }) => bestBps)) };
  });
}

function seenIn({ market: parameters, seed, from, to }: Trial, symbols: readonly PairSymbol[], wantedBps: number) {
  const market = syntheticMarket(seed, parameters);
  let [steps, bestBps] = [0, Number.NEGATIVE_INFINITY];
  for (let at = from as number; at < to; at += STEP_MS) {
    const best = Math.max(...symbols.map((symbol) => betterBps(market, symbol, at)));
    if (best > wantedBps) steps++;
    bestBps = Math.max(bestBps, best);
  }
  return { hours: (steps * STEP_MS) / HOUR_MS, bestBps };
}

const top = emptyTop();

function betterBps(market: Market, symbol: PairSymbol, at: number): number {
  const { base, quote } = assetsOf(symbol);
  const fair = market.rate(base, quote, millis(at));
  if (fair === undefined || !market.read(symbol, millis(at), top)) return Number.NEGATIVE_INFINITY;
  return Math.max(1 - top.ask / fair, top.bid / fair - 1) * 1e4;
}

/** Percent a year by currency. */
export type PolicyRates = Readonly<Record<string, number>>;

/** Of each opening asset its worth at par, in the currency of the limits, and what a year at the policy rate would pay for it. */
export type Opening = { readonly asset: string; readonly worth: number; readonly cash: number };

export function openingOf({ funds, market, seed, from, limits }: Trial, policy: PolicyRates): readonly Opening[] {
  const rates = syntheticMarket(seed, market);
  return Object.entries(funds).map(([asset, amount]) => {
    const worth = Number(amount) * (rates.rate(asset as Asset, limits.currency as Asset, from) ?? Number.NaN);
    return { asset, worth, cash: (worth * (policy[market.pegs[asset]?.reference ?? asset] ?? 0)) / 100 };
  });
}

/** What the event took from these funds by the end of its run: without it, prices of the same seed are the same. */
export function heldThrough({ funds, market, seed, to, limits }: Trial): number {
  const { staged } = market;
  if (staged?.event === undefined) return 0;
  const own = syntheticMarket(seed, market);
  const without = syntheticMarket(seed, { ...market, staged: { issuers: staged.issuers } });
  const currency = limits.currency as Asset;
  return Object.entries(funds).reduce((sum, [asset, amount]) => {
    const peg = market.pegs[asset];
    if (peg === undefined) return sum;
    // A coin that is not listed against its own currency is against that of the limits.
    const quote = Object.hasOwn(market.pairs, `${asset}/${peg.reference}`) ? peg.reference : currency;
    const symbol = `${asset}/${quote}` as PairSymbol;
    const change = middle(own, symbol, to) - middle(without, symbol, to);
    return sum + Number(amount) * change * (own.rate(quote, currency, to) ?? Number.NaN);
  }, 0);
}

function middle(market: Market, symbol: PairSymbol, at: Trial["to"]): number {
  return market.read(symbol, at, top) ? (top.bid + top.ask) / 2 : Number.NaN;
}
