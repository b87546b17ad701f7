// Holes in recorded prices, of a backtest or of paper: while they last the market of that pair is closed. The venue shows no
// quote and turns orders away, no rate is told, and what is made of that rate has no price either; a run without a hole goes
// as if this were not here.

import type { PairSymbol } from "../src/domain/asset.ts";
import { type Millis, millis } from "../src/domain/time.ts";
import type { Track } from "../src/simulator/market/recorded.ts";
import { type HolesIn, holesIn } from "./data/survey/holes-in.ts";
import type { Holes, Unfilled } from "./record/run-record.ts";
import { isOfTheMarket, type Recording } from "./recording.ts";

type Span = { readonly from: Millis; readonly to: Millis };
type Closed = HolesIn & { readonly name: string; readonly symbol: PairSymbol; refused: number };

export class ClosedTimes {
  readonly #span: Span;
  /** Of every recording with a hole in the run. */
  readonly #closed = new Map<string, Closed>();

  constructor(recordings: readonly Recording[], span: Span) {
    this.#span = span;
    for (const { name, source } of recordings.filter(isOfTheMarket)) {
      const holes = within(holesIn(source), span);
      // Of two of the same pair the last is the market's.
      this.#closed.delete(source.symbol);
      if (holes.from.length > 0) this.#closed.set(source.symbol, { ...holes, name, symbol: source.symbol, refused: 0 });
    }
  }

  /** The same track, without a row where nothing was recorded. */
  over(track: Track): Track {
    const holes = this.#closed.get(track.symbol);
    return holes === undefined ? track : closedIn(holes, track);
  }

  /** A proposal for any pair: what is held of the closed one has no price either, and that may be why. */
  refused(at: Millis): void {
    for (const closed of this.#closed.values()) if (covers(closed, at)) closed.refused++;
  }

  finish({ time, symbol, length }: Unfilled): readonly Holes[] {
    return [...this.#closed.values()].map((closed) => {
      let turnedAway = 0;
      for (let row = 0; row < length; row++)
        if (symbol[row] === closed.symbol && covers(closed, time[row] as number)) turnedAway++;
      return { ...this.#extent(closed), refused: closed.refused, turnedAway };
    });
  }

  #extent({ name, symbol, limitMs, from, to }: Closed): Omit<Holes, "refused" | "turnedAway"> {
    const { from: first, to: end } = this.#span;
    let totalMs = 0;
    let longest = { from: first, to: first };
    for (const [hole, begin] of from.entries()) {
      const one = { from: millis(Math.max(begin, first)), to: millis(Math.min(to[hole] as number, end)) };
      totalMs += one.to - one.from;
      if (one.to - one.from > longest.to - longest.from) longest = one;
    }
    return { name, symbol, limitMs, count: from.length, totalMs, longest };
  }
}

export function closedIn(holes: HolesIn, track: Track): Track {
  return { symbol: track.symbol, find: (at) => (covers(holes, at) ? undefined : track.find(at)) };
}

function within({ limitMs, from, to }: HolesIn, span: Span): HolesIn {
  const isIn = (_: number, hole: number): boolean =>
    (from[hole] as number) < span.to && (to[hole] as number) > span.from;
  return { limitMs, from: from.filter(isIn), to: to.filter(isIn) };
}

function covers({ from, to }: HolesIn, at: number): boolean {
  let low = -1;
  let high = from.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((from[middle] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return low >= 0 && at < (to[low] as number);
}
