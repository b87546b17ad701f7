// The two reference feeds next to the API: the FX mids that the venue's prices deviate from, each feed with its own
// noise, delay and spread. They do not use the request budget, and they are pure functions of seed and time too.

import { assetsOf, type PairSymbol } from "../../domain/asset.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { Market } from "./market.ts";
import { normal, type Stream, streamOf } from "./noise.ts";

/** One row of a feed; `at` is the feed's own time, which includes its delay. */
export type ReferenceRow = {
  readonly symbol: PairSymbol;
  readonly bid: number;
  readonly ask: number;
  readonly at: Millis;
};

export interface ReferenceFeed {
  readonly name: string;
  read(at: Millis): readonly ReferenceRow[];
  /** The same feed restricted to these pairs, for repeated reads. */
  only(wanted: ReadonlySet<string>): ReferenceFeed;
}

const SYMBOLS = ["GBP/CHF", "USD/CHF", "GBP/USD", "BTC/USD", "ETH/USD", "USDC/USD", "USDC/CHF"] as PairSymbol[];

/** How often it publishes rates of which age, with which noise. */
const FAST = {
  name: "reference-1",
  symbols: SYMBOLS,
  intervalMs: 500,
  delayMs: 150,
  noiseBps: 0.2,
  halfSpreadBps: 0.5,
};
const SLOW = {
  name: "reference-2",
  symbols: SYMBOLS,
  intervalMs: 1_000,
  delayMs: 600,
  noiseBps: 0.5,
  halfSpreadBps: 1,
};

export type ReferenceFeedParameters = Readonly<typeof FAST>;

/** Served by the simulator next to its API, and polled by backtests. */
export const DEFAULT_REFERENCES: readonly ReferenceFeedParameters[] = [FAST, SLOW];

export function createReferenceFeed(market: Market, seed: number, parameters: ReferenceFeedParameters): ReferenceFeed {
  const { name, symbols, intervalMs, delayMs } = parameters;
  const half = parameters.halfSpreadBps / 1e4;
  const noise = parameters.noiseBps / 1e4;
  const pairs = symbols.map((symbol) => ({ symbol, ...assetsOf(symbol) }));
  const streams = symbols.map((symbol) => streamOf(seed, `feed:${name}:${symbol}`));
  return {
    name,
    read(at) {
      const tick = Math.floor((at - delayMs) / intervalMs);
      const tickAt = millis(tick * intervalMs);
      const quotes: ReferenceRow[] = [];
      for (let i = 0; i < pairs.length; i++) {
        const { symbol, base, quote } = pairs[i] as (typeof pairs)[number];
        const rate = market.rate(base, quote, tickAt);
        if (rate === undefined) continue;
        const mid = rate * (1 + noise * normal(streams[i] as Stream, tick));
        quotes.push({ symbol, bid: mid * (1 - half), ask: mid * (1 + half), at: tickAt });
      }
      return quotes;
    },
    only: (wanted) =>
      createReferenceFeed(market, seed, { ...parameters, symbols: symbols.filter((symbol) => wanted.has(symbol)) }),
  };
}
