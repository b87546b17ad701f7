// The synthetic market and data: its prices in even steps, the same as the simulator's for one seed, and its parameters
// estimated from recorded prices.

import { assetsOf, type PairSymbol } from "../../src/domain/asset.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { emptyTop } from "../../src/simulator/market/market.ts";
import { DEFAULT_MARKET, type MarketParameters } from "../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import { BLOCK_ROWS } from "./row-check.ts";
import { COLUMNS, type Columns, type QuoteArrays, type QuoteSource } from "./source.ts";

export type Synthesis = {
  readonly seed: number;
  readonly parameters: MarketParameters;
  readonly from: Millis;
  readonly to: Millis;
  /** Sampling interval; prices move on a grid of `parameters.gridMs`. */
  readonly intervalMs: number;
};

/** Quotes block by block, in the memory of one. Samples without a price (weekends) give no row. */
export function* syntheticBlocks(
  symbol: PairSymbol,
  { seed, parameters, from, to, intervalMs }: Synthesis,
): Generator<{ readonly columns: Columns; readonly count: number }> {
  const market = syntheticMarket(seed, parameters);
  const columns = COLUMNS.quotes.map(() => new Float64Array(BLOCK_ROWS));
  const [times, bids, asks, bidSizes, askSizes] = columns as QuoteArrays;
  const top = emptyTop();
  let count = 0;
  for (let at: number = from; at < to; at += intervalMs) {
    if (!market.read(symbol, millis(at), top)) continue;
    times[count] = at;
    bids[count] = top.bid;
    asks[count] = top.ask;
    bidSizes[count] = top.bidSize;
    askSizes[count] = top.askSize;
    if (++count < BLOCK_ROWS) continue;
    yield { columns, count };
    count = 0;
  }
  if (count > 0) yield { columns, count };
}

// What a recording can tell about the parameters of the market: half spreads and sizes of each pair, the deviation of a
// coin from par, and the volatility of a currency. Everything else stays as the scenario has it.

const MINUTE = 60_000;
const YEAR_MS = 365.25 * 86_400_000;
/** A return over less time is mostly noise of the feed. */
const RETURN_MINUTES = 15;
/** Shorter gaps than this join two samples to a return. */
const GAP_MS_MAX = 3_600_000;
const SAMPLES_MIN = 100;

type Sample = { readonly at: number; readonly half: number; readonly mid: number; readonly sizes: readonly number[] };

/** The settings (`name=value`) that the recordings give. */
export function fitted(sources: readonly QuoteSource[]): readonly string[] {
  return sources.flatMap((source) => {
    const samples = sampled(source);
    return samples.length < SAMPLES_MIN ? [] : settingsOf(source, samples);
  });
}

/** The first row of each minute. */
function sampled(source: QuoteSource): Sample[] {
  const samples: Sample[] = [];
  let last = -1;
  for (const { length, time, bid, ask, bidSize, askSize } of source.chunks())
    for (let row = 0; row < length; row++) {
      const at = time[row] as number;
      if (Math.floor(at / MINUTE) === last) continue;
      last = Math.floor(at / MINUTE);
      const [low, high] = [bid[row] as number, ask[row] as number];
      const sizes = [bidSize[row] as number, askSize[row] as number].filter((size) => size > 0);
      samples.push({ at, half: (high - low) / (high + low), mid: (high + low) / 2, sizes });
    }
  return samples;
}

function settingsOf({ symbol }: QuoteSource, samples: readonly Sample[]): string[] {
  const { pairs, pegs, references } = DEFAULT_MARKET;
  const { base, quote } = assetsOf(symbol);
  if (references[base] !== undefined && quote === "CHF")
    return [`references.${base}.volatilityPerYear=${rounded(volatility(samples))}`];
  if (pairs[symbol] === undefined) return [];
  const halves = samples.map(({ half }) => half).filter((half) => half > 0);
  const sizes = samples.flatMap((one) => one.sizes);
  const found = halves.length === 0 ? [] : [`pairs.${symbol}.halfSpreadBps=${rounded(median(halves) * 1e4)}`];
  if (sizes.length > 0) found.push(`pairs.${symbol}.depth=${rounded(median(sizes))}`);
  return pegs[base]?.reference === quote ? [...found, ...pegOf(base, samples)] : found;
}

function pegOf(coin: string, samples: readonly Sample[]): string[] {
  const logs = samples.map(({ mid }) => Math.log(mid));
  const deviationBps = Math.sqrt(mean(logs.map((log) => log * log))) * 1e4;
  const pairs = logs.slice(RETURN_MINUTES).map((log, i) => log * (logs[i] as number));
  const kept = mean(pairs) / mean(logs.map((log) => log * log));
  const found = [`pegs.${coin}.deviationBps=${rounded(deviationBps)}`];
  if (!(kept > 0 && kept < 1)) return found;
  return [...found, `pegs.${coin}.halfLifeMs=${Math.round((-RETURN_MINUTES * MINUTE * Math.LN2) / Math.log(kept))}`];
}

function volatility(samples: readonly Sample[]): number {
  let [variance, elapsed] = [0, 0];
  for (let i = RETURN_MINUTES; i < samples.length; i += RETURN_MINUTES) {
    const [before, after] = [samples[i - RETURN_MINUTES] as Sample, samples[i] as Sample];
    if (after.at - before.at > GAP_MS_MAX) continue;
    variance += Math.log(after.mid / before.mid) ** 2;
    elapsed += after.at - before.at;
  }
  // Currencies are closed for two days a week.
  return Math.sqrt((variance / elapsed) * YEAR_MS * (5 / 7));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
