// Recorded prices as a market: the last row at or before the requested time, and no price where the record has none.
// Pairs without a record, and rates that no record shows, come from the fallback.

import type { PairSymbol } from "../../domain/asset.ts";
import { invariant } from "../../domain/invariant.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { createQuoteColumns, type QuoteColumns } from "../../market/column.ts";
import type { Market } from "./market.ts";

/** The record of one pair, independent of its storage. */
export interface Track {
  readonly symbol: PairSymbol;
  /** The last row at or before `at`, valid until the next call; undefined before the first row, and in gaps. */
  find(at: number): Place | undefined;
}

export type Place = { readonly columns: QuoteColumns; readonly row: number };

export function trackedMarket(recorded: readonly Track[], fallback: Market): Market {
  const tracks = new Map<string, Track>(recorded.map((track) => [track.symbol, track]));
  return {
    ...fallback,
    read(symbol, at, into, shift = 0) {
      const track = tracks.get(symbol);
      if (track === undefined) return fallback.read(symbol, at, into, shift);
      const place = track.find(at);
      if (place === undefined) return false;
      const { columns, row } = place;
      const factor = shift === 0 ? 1 : Math.exp(shift);
      into.bid = (columns.bid[row] as number) * factor;
      into.ask = (columns.ask[row] as number) * factor;
      into.bidSize = sizeOf(columns.bidSize[row] as number);
      into.askSize = sizeOf(columns.askSize[row] as number);
      return true;
    },
    rate(base, quote, at) {
      const direct = tracks.get(`${base}/${quote}`);
      if (direct !== undefined) return midOf(direct, at);
      const inverse = tracks.get(`${quote}/${base}`);
      if (inverse === undefined) return fallback.rate(base, quote, at);
      const mid = midOf(inverse, at);
      return mid && 1 / mid;
    },
    /** Recorded prices are the dealer's and the world's. */
    stale: (symbol, at) => (tracks.has(symbol) ? 0 : fallback.stale(symbol, at)),
  };
}

export function midOf(track: Track, at: number): number | undefined {
  const place = track.find(at);
  return place && ((place.columns.bid[place.row] as number) + (place.columns.ask[place.row] as number)) / 2;
}

/**
 * Several records of one rate, in either direction, combined into the median of those that have a row, as fair value
 * does.
 */
export function middleTrack(tracks: readonly Track[]): Track {
  const [first] = tracks;
  invariant(first !== undefined, "a rate must have a record");
  if (tracks.length === 1) return first;
  const { symbol } = first;
  const columns = createQuoteColumns(symbol, 1);
  columns.bidSize[0] = columns.askSize[0] = Number.NaN;
  const place = { columns, row: 0 };
  return {
    symbol,
    find(at) {
      const mids = tracks.flatMap((track) => {
        const mid = midOf(track, at);
        return mid === undefined ? [] : [track.symbol === symbol ? mid : 1 / mid];
      });
      if (mids.length === 0) return undefined;
      mids.sort((one, other) => one - other);
      const [low, high] = [mids[(mids.length - 1) >> 1] as number, mids[mids.length >> 1] as number];
      columns.time[0] = at;
      columns.bid[0] = columns.ask[0] = (low + high) / 2;
      return place;
    },
  };
}

/** A source without sizes offers its price for any size. */
function sizeOf(recorded: number): number {
  return Number.isNaN(recorded) ? Number.MAX_SAFE_INTEGER : recorded;
}

// A record that is replayed from a given time and repeats after its end. Still a function of time alone: the same time
// always has the same price.

type Extent = { readonly firstAt: number; readonly lastAt: number };

/** Maps a time to the time in the record. */
export function loopedTime({ firstAt, lastAt }: Extent, startedAt: number): (at: number) => Millis {
  const lengthMs = lastAt - firstAt + 1;
  return (at) => {
    const into = (at - startedAt) % lengthMs;
    return millis(firstAt + (into < 0 ? into + lengthMs : into));
  };
}

export function loopedTrack(track: Track, playedAt: (at: number) => Millis): Track {
  return { symbol: track.symbol, find: (at) => track.find(playedAt(at)) };
}
