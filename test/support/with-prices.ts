// A record with what a backtest adds from its market: prices of the pairs, and mids after the fills.

import type { RunRecord } from "../../backtest/record/run-record.ts";
import { markoutMids } from "../../backtest/record/run-recorder.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";

export type PriceRow = readonly [at: number, symbol: string, bid: number, ask: number, fair: number];

export function withPrices(
  record: RunRecord,
  pairs: readonly { readonly symbol: PairSymbol; readonly par?: number }[],
  all: readonly PriceRow[],
): RunRecord {
  const prices = pairs.map(({ symbol, par }) => {
    const rows = all.filter((row) => row[1] === symbol);
    const [time, bid, ask, fair] = ([0, 2, 3, 4] as const).map((place) =>
      Float64Array.from(rows, (row) => row[place]),
    ) as [Float64Array, Float64Array, Float64Array, Float64Array];
    return { symbol, par, length: rows.length, time, bid, ask, fair };
  });
  const { fills, samples } = record;
  const mids = markoutMids(fills.time, fills.symbol, prices, samples.time.at(-1));
  return { ...record, prices, fills: { ...fills, mids } };
}
