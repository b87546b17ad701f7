// Holes in recorded prices, of a backtest or of paper trading: during a hole the market of that pair is closed. The
// venue shows no quote and rejects orders, feeds report no rate, and prices derived from that rate are missing too; a
// run without holes is unaffected.

import type { PairSymbol } from "../src/domain/asset.ts";
import { type Millis, millis } from "../src/domain/time.ts";
import type { Track } from "../src/simulator/market/recorded.ts";
import { type HolesIn, holesIn } from "./data/gaps.ts";
import type { Holes, Unfilled } from "./record/run-record.ts";
import { rowUntil } from "./record/run-recorder.ts";
import { eitherWay, isOfTheMarket, type Recording } from "./recording.ts";

type Span = { readonly from: Millis; readonly to: Millis };
type Closed = HolesIn & { readonly name: string; readonly symbol: PairSymbol; refused: number };

export class ClosedTimes {
  readonly #span: Span;
  /** Holes of every recording that has one in the run, by name. */
  readonly #own = new Map<string, HolesIn>();
  /** Closed times of every pair; where several recordings give its rate, it is closed while all of them have a hole. */
  readonly #closed: Closed[] = [];

  constructor(recordings: readonly Recording[], span: Span) {
    this.#span = span;
    const pairs = Map.groupBy(recordings.filter(isOfTheMarket), ({ source }) => eitherWay(source.symbol));
    for (const together of pairs.values()) {
      const holes = together.map(({ source }) => within(holesIn(source), span));
      for (const [place, { name }] of together.entries()) this.#own.set(name, holes[place] as HolesIn);
      const { symbol } = (together[0] as Recording).source;
      const name = together.map((one) => one.name).join(" and ");
      const all = holes.reduce(inBoth);
      if (all.from.length > 0) this.#closed.push({ ...all, name, symbol, refused: 0 });
    }
  }

  /** The same track without rows in its holes. */
  over(track: Track, name: string): Track {
    const holes = this.#own.get(name);
    return holes === undefined || holes.from.length === 0 ? track : closedIn(holes, track);
  }

  /** Counts a refused proposal for any pair: holdings of the closed pair have no price, and that may be the reason. */
  refused(at: Millis): void {
    for (const closed of this.#closed) if (covers(closed, at)) closed.refused++;
  }

  finish({ time, symbol, length }: Unfilled): readonly Holes[] {
    return this.#closed.map((closed) => {
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

/** The intersection of two lists of holes. */
function inBoth(one: HolesIn, other: HolesIn): HolesIn {
  const from: number[] = [];
  const to: number[] = [];
  for (let i = 0, j = 0; i < one.from.length && j < other.from.length; ) {
    const [begin, end] = [
      Math.max(one.from[i] as number, other.from[j] as number),
      Math.min(one.to[i] as number, other.to[j] as number),
    ];
    if (begin < end) {
      from.push(begin);
      to.push(end);
    }
    if ((one.to[i] as number) < (other.to[j] as number)) i++;
    else j++;
  }
  return { limitMs: Math.max(one.limitMs, other.limitMs), from: Float64Array.from(from), to: Float64Array.from(to) };
}

function covers({ from, to }: HolesIn, at: number): boolean {
  const hole = rowUntil(from, at);
  return hole >= 0 && at < (to[hole] as number);
}
