// Polls a source: one request at a time, with a timeout, and with growing backoff and jitter on failure.

import { Observable } from "rxjs";
import type { QuoteEvent } from "../../domain/event.ts";
import { type FeedParts, quoteOf, reasonOf, restMs, type Told } from "./feed.ts";

export type PollSettings = {
  readonly everyMs: number;
  readonly restMsFirst: number;
  readonly restMsMax: number;
  /** The timeout of a whole answer. */
  readonly answerMsMax: number;
};

export const POLL_DEFAULTS: PollSettings = {
  everyMs: 1_000,
  restMsFirst: 1_000,
  restMsMax: 30_000,
  answerMsMax: 5_000,
};

/** Makes one request; the signal aborts it. Throwing counts as a failure. */
export type Ask = (signal: AbortSignal) => Promise<Told>;

/** Makes the first request on subscription; unsubscribing aborts the request in flight and every timer. */
export function polled(
  name: string,
  ask: Ask,
  parts: FeedParts,
  settings: PollSettings = POLL_DEFAULTS,
): Observable<QuoteEvent> {
  return new Observable((subscriber) => {
    const { everyMs, restMsFirst, restMsMax, answerMsMax } = settings;
    let isOver = false;
    // One controller per request, and nothing outlives it: a signal joined with a feed-long one (AbortSignal.any) would
    // stay in memory as long as the feed, with its listeners.
    let asking = new AbortController();
    let failures = 0;
    let said: string | undefined;
    let last: string | undefined;
    let cancel = (): void => {};
    const poll = async (): Promise<void> => {
      asking = new AbortController();
      const late = (): void => asking.abort(new Error(`no whole answer within ${answerMsMax} ms`));
      cancel = parts.timers.after(answerMsMax, late);
      const told = await answered(ask, asking.signal);
      if (isOver) return;
      cancel();
      const receivedAt = parts.clock.now();
      for (const tick of told.ticks) subscriber.next(quoteOf(name, tick, receivedAt));
      const { ticks, trouble } = told;
      // Not at every attempt: when a problem starts and ends, and another one when it comes twice in a row, so that two
      // alternating reasons are not reported each time.
      const isEdge = said === undefined || trouble === undefined || trouble === last;
      if (trouble !== said && isEdge) parts.onTrouble?.(name, trouble);
      if (isEdge) said = trouble;
      last = trouble;
      failures = trouble !== undefined && ticks.length === 0 ? failures + 1 : 0;
      const pauseMs = everyMs + restMs(failures, parts.random, restMsFirst, restMsMax);
      cancel = parts.timers.after(pauseMs, () => void poll());
    };
    void poll();
    return () => {
      isOver = true;
      asking.abort();
      cancel();
    };
  });
}

async function answered(ask: Ask, signal: AbortSignal): Promise<Told> {
  try {
    return await ask(signal);
  } catch (error) {
    return { ticks: [], trouble: reasonOf(signal.aborted ? signal.reason : error) };
  }
}
