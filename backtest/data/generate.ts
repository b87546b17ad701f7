// Synthetic columns: the simulator's own market looked at in even steps. The same seed gives the same prices as the
// simulator and every backtest on it; there is no second generator.

import type { PairSymbol } from "../../src/domain/asset.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { createColumn } from "../../src/market/column.ts";
import { emptyTop } from "../../src/simulator/market/market.ts";
import type { MarketParameters } from "../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import { closedSince } from "../../src/simulator/market/weekend.ts";
import { BLOCK_ROWS } from "./intake.ts";
import { COLUMNS, cut, type QuoteArrays, type QuoteSource, sourceOf } from "./source.ts";

export type Synthesis = {
  readonly seed: number;
  readonly parameters: MarketParameters;
  readonly from: Millis;
  readonly to: Millis;
  /** One look every so often; prices move on a grid of `parameters.gridMs`. */
  readonly intervalMs: number;
};

/** Made chunk by chunk while it is read, in the memory of one chunk. Looks that find no price (weekends) give no row. */
export function syntheticSource(symbol: PairSymbol, synthesis: Synthesis): QuoteSource {
  const { seed, parameters, from, intervalMs } = synthesis;
  const looks = looksOf(synthesis);
  const extent = extentOf(symbol, synthesis, looks);
  const source = sourceOf({ kind: "quotes", symbol }, extent, function* (span) {
    const market = syntheticMarket(seed, parameters);
    const columns = COLUMNS.quotes.map(() => createColumn(BLOCK_ROWS, "shared"));
    const [times, bids, asks, bidSizes, askSizes] = columns as QuoteArrays;
    const top = emptyTop();
    for (let look = 0; look < looks; ) {
      let count = 0;
      for (; look < looks && count < BLOCK_ROWS; look++) {
        const at = millis(from + look * intervalMs);
        if (!market.read(symbol, at, top)) continue;
        times[count] = at;
        bids[count] = top.bid;
        asks[count] = top.ask;
        bidSizes[count] = top.bidSize;
        askSizes[count] = top.askSize;
        count++;
      }
      const within = cut(columns, count, span);
      if (within.count > 0) yield within;
    }
  });
  return source as QuoteSource;
}

function looksOf({ from, to, intervalMs }: Synthesis): number {
  return Math.max(0, Math.ceil((to - from) / intervalMs));
}

/** Open looks are counted by the calendar alone. */
function extentOf(
  symbol: PairSymbol,
  synthesis: Synthesis,
  looks: number,
): Omit<QuoteSource, "symbol" | "kind" | "chunks"> {
  const { from, intervalMs } = synthesis;
  const at = (look: number): Millis => millis(from + look * intervalMs);
  if (!sleeps(symbol, synthesis)) return { rows: looks, firstAt: from, lastAt: at(looks - 1), leftOut: {} };
  let rows = 0;
  let first = Number.NaN;
  let last = Number.NaN;
  for (let look = 0; look < looks; look++) {
    if (closedSince(at(look)) !== undefined) continue;
    if (rows === 0) first = look;
    last = look;
    rows++;
  }
  return { rows, firstAt: at(first), lastAt: at(last), leftOut: {} };
}

/** Whether the pair has no price on a Saturday. */
function sleeps(symbol: PairSymbol, { seed, parameters }: Synthesis): boolean {
  return !syntheticMarket(seed, parameters).read(symbol, SATURDAY, emptyTop());
}

const SATURDAY = millis(Date.UTC(2026, 0, 3, 12));
