// Recorded quotes as a feed: the first row now, each further one after its recorded interval. After the last row
// nothing is emitted, and its prices grow old.

import { Observable } from "rxjs";
import type { QuoteEvent } from "../../domain/event.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { QuoteColumns } from "../column.ts";
import { type FeedParts, quoteOf } from "./feed.ts";

/** `chunks` is one record in order; a chunk may be overwritten when the next one is requested. */
export function playedFeed(
  name: string,
  chunks: () => Iterable<QuoteColumns>,
  { clock, timers, onTrouble }: FeedParts,
): Observable<QuoteEvent> {
  return new Observable((subscriber) => {
    const rows = rowsOf(chunks());
    const startedAt = clock.now();
    let firstAt: Millis | undefined;
    let cancel = (): void => {};
    const next = (): void => {
      const row = rows.next();
      if (row.done === true) {
        onTrouble?.(name, "the recording is over");
        return;
      }
      const { at, ...tick } = row.value;
      firstAt ??= at;
      const dueAt = startedAt + (at - firstAt);
      cancel = timers.after(Math.max(0, dueAt - clock.now()), () => {
        subscriber.next(quoteOf(name, { ...tick, at: undefined }, clock.now()));
        next();
      });
    };
    next();
    return () => {
      cancel();
      rows.return?.(undefined);
    };
  });
}

function* rowsOf(chunks: Iterable<QuoteColumns>) {
  for (const { symbol, length, time, bid, ask, bidSize, askSize } of chunks)
    for (let row = 0; row < length; row++)
      yield {
        symbol,
        bid: bid[row] as number,
        ask: ask[row] as number,
        bidSize: known(bidSize[row] as number),
        askSize: known(askSize[row] as number),
        at: millis(time[row] as number),
      };
}

function known(size: number): number | undefined {
  return Number.isNaN(size) ? undefined : size;
}
