// Prices that arrive by themselves, as reference feeds do live: they cost no slot, and nobody sees them before their time.

import type { QuoteEvent } from "../../src/domain/event.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { QuoteColumns } from "../../src/market/column.ts";
import type { ReferenceFeed } from "../../src/simulator/market/reference.ts";

export interface Feed {
  /** When its next quotes arrive; infinite after the last. */
  readonly nextAt: number;
  /** What arrives then. */
  take(): readonly QuoteEvent[];
}

/** A recorded feed: each row arrives at its time. */
export function columnFeed(source: string, columns: QuoteColumns): Feed {
  const { symbol, length, time, bid, ask, bidSize, askSize } = columns;
  let row = 0;
  return {
    get nextAt() {
      return row < length ? (time[row] as number) : Number.POSITIVE_INFINITY;
    },
    take() {
      const at = millis(time[row] as number);
      const quote: QuoteEvent = {
        kind: "quote",
        symbol,
        bid: bid[row] as number,
        ask: ask[row] as number,
        bidSize: known(bidSize[row] as number),
        askSize: known(askSize[row] as number),
        source,
        at,
        receivedAt: at,
      };
      row++;
      return [quote];
    },
  };
}

/** A feed of the simulated market, polled as live feeds are. */
export function polledFeed(
  feed: ReferenceFeed,
  symbols: ReadonlySet<string>,
  { from, everyMs }: { readonly from: Millis; readonly everyMs: number },
): Feed {
  let next: number = from;
  return {
    get nextAt() {
      return next;
    },
    take() {
      const receivedAt = millis(next);
      next += everyMs;
      return feed
        .read(receivedAt)
        .filter(({ symbol }) => symbols.has(symbol))
        .map(({ symbol, bid, ask, at }) => ({
          kind: "quote",
          symbol,
          bid,
          ask,
          bidSize: undefined,
          askSize: undefined,
          source: feed.name,
          at,
          receivedAt,
        }));
    },
  };
}

function known(size: number): number | undefined {
  return Number.isNaN(size) ? undefined : size;
}
