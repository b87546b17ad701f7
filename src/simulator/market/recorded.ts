// Recorded columns as a market: the last row at or before the asked time. Pairs without columns, and rates that no
// column shows, come from the fallback.

import type { PairSymbol } from "../../domain/asset.ts";
import { type QuoteColumns, rowAt } from "../../market/column.ts";
import type { Market } from "./market.ts";

export function recordedMarket(recorded: readonly QuoteColumns[], fallback: Market): Market {
  const tracks = new Map<string, { columns: QuoteColumns; row: number }>();
  for (const columns of recorded) tracks.set(columns.symbol, { columns, row: 0 });

  function rowOf(symbol: string, at: number): { columns: QuoteColumns; row: number } | undefined {
    const track = tracks.get(symbol);
    if (track === undefined) return undefined;
    const row = rowAt(track.columns, at, track.row);
    if (row < 0) return undefined;
    track.row = row;
    return track;
  }

  function mid(symbol: string, at: number): number | undefined {
    const track = rowOf(symbol, at);
    return track && ((track.columns.bid[track.row] as number) + (track.columns.ask[track.row] as number)) / 2;
  }

  return {
    read(symbol: PairSymbol, at, into) {
      if (!tracks.has(symbol)) return fallback.read(symbol, at, into);
      const track = rowOf(symbol, at);
      if (track === undefined) return false;
      const { columns, row } = track;
      into.bid = columns.bid[row] as number;
      into.ask = columns.ask[row] as number;
      into.bidSize = sizeOf(columns.bidSize[row] as number);
      into.askSize = sizeOf(columns.askSize[row] as number);
      return true;
    },
    rate(base, quote, at) {
      const direct = mid(`${base}/${quote}`, at);
      if (direct !== undefined) return direct;
      const inverse = mid(`${quote}/${base}`, at);
      return inverse === undefined ? fallback.rate(base, quote, at) : 1 / inverse;
    },
    depthEpoch: fallback.depthEpoch,
  };
}

/** A source that gives no size shows a price for any size. */
function sizeOf(recorded: number): number {
  return Number.isNaN(recorded) ? Number.MAX_SAFE_INTEGER : recorded;
}
