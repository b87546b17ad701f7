// The contract of reference feeds: a stream of quotes under the feed's name, and word of when it begins to fail and when it
// works again. A feed never ends and never errors; while it fails it says nothing, and its last prices grow old. It has one
// file per source; what they share (asking, listening, resting) is in the same folder.

import type { PairSymbol } from "../../domain/asset.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import type { Random } from "../../domain/random.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Clock, Millis, Timers } from "../../domain/time.ts";
import { readPrice, whyNoQuote, whyUnread } from "../refusal.ts";

export type FeedParts = {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  /** When it begins to fail, or fails in another way (with the reason), and when it works again. */
  readonly onTrouble?: (name: string, reason: string | undefined) => void;
};

export type FeedSource = {
  /** What its quotes are called; never `venue`. */
  readonly name: string;
  readonly url: string;
  /** The pairs that are wanted of it; others are passed over. */
  readonly symbols: ReadonlySet<PairSymbol>;
};

/** A price as the source has it. What cannot be read is NaN: the guard must know that something came. */
export type Tick = {
  readonly symbol: PairSymbol;
  readonly bid: number;
  readonly ask: number;
  readonly bidSize?: number | undefined;
  readonly askSize?: number | undefined;
  /** The source's clock; undefined when it gives no time. */
  readonly at: Millis | undefined;
};

/** What one answer, or one message, came to. */
export type Told = {
  readonly ticks: readonly Tick[];
  /** What is wrong with the source or with some price, in its words or ours. */
  readonly trouble?: string | undefined;
};

export function quoteOf(source: string, tick: Tick, receivedAt: Millis): QuoteEvent {
  const { symbol, bid, ask, bidSize, askSize, at } = tick;
  return { kind: "quote", symbol, bid, ask, bidSize, askSize, source, at, receivedAt };
}

type Raw = Pick<Tick, "symbol" | "at"> & {
  readonly bid: unknown;
  readonly ask: unknown;
  readonly bidSize?: unknown;
  readonly askSize?: unknown;
};

/** A row of a source as a tick, with the name of what is wrong with it. */
export function readTick({ symbol, at, bid, ask, bidSize, askSize }: Raw): Told {
  const [low, high] = [readPrice(bid), readPrice(ask)];
  const refusal = whyUnread(bid) ?? whyUnread(ask) ?? whyNoQuote(low, high, true);
  const tick = { symbol, bid: low, ask: high, bidSize: sizeOf(bidSize), askSize: sizeOf(askSize), at };
  if (refusal === undefined) return { ticks: [tick] };
  return { ticks: [tick], trouble: `${symbol} is ${refusal}: bid ${shown(bid)}, ask ${shown(ask)}` };
}

/** What several rows came to together; of their troubles the first. */
export function together(told: readonly Told[]): Told {
  return { ticks: told.flatMap(({ ticks }) => ticks), trouble: told.find(({ trouble }) => trouble)?.trouble };
}

function sizeOf(raw: unknown): number | undefined {
  const size = readPrice(raw);
  return Number.isFinite(size) && size >= 0 ? size : undefined;
}

function shown(raw: unknown): string {
  return printable(String(raw), 24);
}

/** Between good answers nothing; after failures a doubling span with full jitter. */
export function restMs(failures: number, random: Random, first: number, most: number): number {
  return failures === 0 ? 0 : random.next() * Math.min(most, first * 2 ** Math.min(failures - 1, 20));
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return printable(String(error));
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return printable(`${error.message}${cause}` || error.name);
}
