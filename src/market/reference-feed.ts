// A reference feed over HTTP: polled politely, one question at a time, given a growing rest with jitter when it fails.
// It never ends by itself and never invents a price: while it is silent its last quotes grow old, and fair value goes
// with them.

import { Observable } from "rxjs";
import { z } from "zod";
import { type PairSymbol, parseSymbol } from "../domain/asset.ts";
import type { QuoteEvent } from "../domain/event.ts";
import { printable } from "../domain/outside-text.ts";
import type { Random } from "../domain/random.ts";
import { type Clock, type Millis, millis, type Timers } from "../domain/time.ts";

export type ReferenceSource = {
  /** What its quotes are called; never `venue`. */
  readonly name: string;
  readonly url: string;
  /** The pairs that are wanted of it; others are passed over. */
  readonly symbols: ReadonlySet<PairSymbol>;
};

export type FeedParts = {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  /** Asks once; the signal gives up. */
  readonly read: (url: string, signal: AbortSignal) => Promise<unknown>;
  /** When it begins to fail (with the reason), and when it answers again. */
  readonly onTrouble?: (name: string, reason: string | undefined) => void;
  readonly settings?: Partial<FeedSettings>;
};

export type FeedSettings = {
  readonly everyMs: number;
  readonly restMsFirst: number;
  readonly restMsMax: number;
};

const DEFAULTS: FeedSettings = { everyMs: 1_000, restMsFirst: 1_000, restMsMax: 30_000 };
const ROWS_MAX = 64;

const answer = z.object({
  rates: z
    .array(z.object({ symbol: z.string(), bid: z.number(), ask: z.number(), timestamp: z.iso.datetime() }))
    .max(ROWS_MAX),
});

/** Asks at once when it is subscribed to; unsubscribing ends the question in flight and every timer. */
export function referenceFeed(source: ReferenceSource, parts: FeedParts): Observable<QuoteEvent> {
  return new Observable((subscriber) => {
    const settings = { ...DEFAULTS, ...parts.settings };
    const abort = new AbortController();
    let failures = 0;
    let cancel = (): void => {};
    const poll = async (): Promise<void> => {
      const reason = await ask(source, parts, abort.signal, (quote) => subscriber.next(quote));
      if (abort.signal.aborted) return;
      if ((reason === undefined) !== (failures === 0)) parts.onTrouble?.(source.name, reason);
      failures = reason === undefined ? 0 : failures + 1;
      cancel = parts.timers.after(pauseMs(failures, parts.random, settings), () => void poll());
    };
    void poll();
    return () => {
      abort.abort();
      cancel();
    };
  });
}

/** A reason when nothing usable came. */
async function ask(
  source: ReferenceSource,
  { read, clock }: FeedParts,
  signal: AbortSignal,
  emit: (quote: QuoteEvent) => void,
): Promise<string | undefined> {
  let body: unknown;
  try {
    body = await read(source.url, signal);
  } catch (error) {
    return printable(error instanceof Error ? error.message : String(error));
  }
  if (signal.aborted) return undefined;
  const parsed = answer.safeParse(body);
  if (!parsed.success) return "its answer is not a list of rates";
  const receivedAt = clock.now();
  for (const row of parsed.data.rates) {
    const symbol = parseSymbol(row.symbol);
    if (!symbol.ok || !source.symbols.has(symbol.value)) continue;
    emit(quoteOf(source.name, symbol.value, row, receivedAt));
  }
  return undefined;
}

type Row = z.output<typeof answer>["rates"][number];

function quoteOf(source: string, symbol: PairSymbol, { bid, ask, timestamp }: Row, receivedAt: Millis): QuoteEvent {
  const at = millis(Date.parse(timestamp));
  return { kind: "quote", symbol, bid, ask, bidSize: undefined, askSize: undefined, source, at, receivedAt };
}

/** Between good answers the interval; after failures a doubling span with full jitter. */
function pauseMs(failures: number, random: Random, { everyMs, restMsFirst, restMsMax }: FeedSettings): number {
  if (failures === 0) return everyMs;
  return everyMs + random.next() * Math.min(restMsMax, restMsFirst * 2 ** Math.min(failures - 1, 20));
}
