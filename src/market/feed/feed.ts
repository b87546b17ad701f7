// The contract of reference feeds: a stream of quotes under the feed's name, and a report when it starts to fail and
// when it works again. A feed never ends and never errors; while it fails it emits nothing, and its last prices grow
// old. There is one file per source; the shared part (polling, backoff) is in the same folder.

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
  /**
   * Called with the reason when the feed starts to fail or fails differently, and with undefined when it works again.
   */
  readonly onTrouble?: (name: string, reason: string | undefined) => void;
};

export type FeedSource = {
  /** The source name of its quotes; never `venue`. */
  readonly name: string;
  readonly url: string;
  /** The requested pairs; others are ignored. */
  readonly symbols: ReadonlySet<PairSymbol>;
};

/**
 * A price as reported by the source. An unreadable value is NaN, because an unreadable price ends the last one.
 */
export type Tick = {
  readonly symbol: PairSymbol;
  readonly bid: number;
  readonly ask: number;
  readonly bidSize?: number | undefined;
  readonly askSize?: number | undefined;
  /** The source's clock; undefined if it reports no time. */
  readonly at: Millis | undefined;
};

/** The result of one answer or message. */
export type Told = {
  readonly ticks: readonly Tick[];
  /** The problem of the source or of a price, in the source's words or ours. */
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

/** Parses a row of a source into a tick, and names its problem if it has one. */
export function readTick({ symbol, at, bid, ask, bidSize, askSize }: Raw): Told {
  const [low, high] = [readPrice(bid), readPrice(ask)];
  const refusal = whyUnread(bid) ?? whyUnread(ask) ?? whyNoQuote(low, high);
  const tick = { symbol, bid: low, ask: high, bidSize: sizeOf(bidSize), askSize: sizeOf(askSize), at };
  if (refusal === undefined) return { ticks: [tick] };
  return { ticks: [tick], trouble: `${symbol} is ${refusal}: bid ${shown(bid)}, ask ${shown(ask)}` };
}

/** Merges the results of several rows; the first problem is kept. */
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

/** Zero after a good answer; after failures exponential backoff with full jitter. */
export function restMs(failures: number, random: Random, first: number, most: number): number {
  return failures === 0 ? 0 : random.next() * Math.min(most, first * 2 ** Math.min(failures - 1, 20));
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return printable(String(error));
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return printable(`${error.message}${cause}` || error.name);
}
