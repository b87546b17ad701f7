// The synthetic market as data: its prices in even steps, the same as the simulator's for one seed.

import type { PairSymbol } from "../../src/domain/asset.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { emptyTop } from "../../src/simulator/market/market.ts";
import type { MarketParameters } from "../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import { BLOCK_ROWS } from "./row-check.ts";
import { COLUMNS, type Columns, type QuoteArrays } from "./source.ts";

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
