// Recorded prices as a market: the last row at or before the asked time. Pairs without a record, and rates that no record
// shows, come from the fallback.

import type { PairSymbol } from "../../domain/asset.ts";
import { type QuoteColumns, rowAt } from "../../market/column.ts";
import type { Market } from "./market.ts";

/** A record of one pair, wherever it lies. */
export interface Track {
  readonly symbol: PairSymbol;
  /** The last row at or before `at`, good until the next call; undefined before the first. */
  find(at: number): Place | undefined;
}

export type Place = { readonly columns: QuoteColumns; readonly row: number };

/** Columns that lie in memory as a whole. */
export function recordedMarket(recorded: readonly QuoteColumns[], fallback: Market): Market {
  return trackedMarket(recorded.map(columnTrack), fallback);
}

export function trackedMarket(recorded: readonly Track[], fallback: Market): Market {
  const tracks = new Map<string, Track>(recorded.map((track) => [track.symbol, track]));

  function mid(symbol: string, at: number): number | undefined {
    const place = tracks.get(symbol)?.find(at);
    return place && ((place.columns.bid[place.row] as number) + (place.columns.ask[place.row] as number)) / 2;
  }

  return {
    read(symbol: PairSymbol, at, into) {
      const track = tracks.get(symbol);
      if (track === undefined) return fallback.read(symbol, at, into);
      const place = track.find(at);
      if (place === undefined) return false;
      const { columns, row } = place;
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

function columnTrack(columns: QuoteColumns): Track {
  const place = { columns, row: 0 };
  return {
    symbol: columns.symbol,
    find(at) {
      const row = rowAt(columns, at, place.row);
      if (row < 0) return undefined;
      place.row = row;
      return place;
    },
  };
}

/** A source that gives no size shows a price for any size. */
function sizeOf(recorded: number): number {
  return Number.isNaN(recorded) ? Number.MAX_SAFE_INTEGER : recorded;
}
