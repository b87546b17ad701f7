// Prices that arrive by themselves, as reference feeds do live: they cost no slot, and nobody sees them before their time.

import type { Engine } from "../../src/bot/engine/engine.ts";
import type { BarEvent, QuoteEvent } from "../../src/domain/event.ts";
import type { Step } from "../../src/domain/step.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { ReferenceFeed, ReferenceRow } from "../../src/simulator/market/reference.ts";

export interface Feed<E extends QuoteEvent | BarEvent = QuoteEvent | BarEvent> {
  /** When its next prices arrive; infinite after the last. */
  readonly nextAt: number;
  /** What arrives then. */
  take(): readonly E[];
  /** They are the venue's own. */
  readonly isVenue?: true;
  /** They are the venue's own, with its times: nobody who has them is earlier than that. */
  readonly tellsTime?: true;
}

/** A feed whose rows can go through the engine one after the other, without an object for those that lead to nothing. */
export interface RowFeed<E extends QuoteEvent | BarEvent = QuoteEvent | BarEvent> extends Feed<E> {
  /**
   * The rows that arrive before `until`, up to the first whose step is to be recorded: gives that step. Each is received
   * `lagMs` before its time. It is what `take` and `process` would come to.
   */
  run(engine: Engine, until: number, lagMs: number): Step | undefined;
  /** When the last row that was taken arrived. */
  readonly reachedAt: number;
}

export function hasRows(feed: Feed): feed is RowFeed {
  return "run" in feed;
}

/** A feed of the simulated market, polled as live feeds are; only what is asked for is worked out. */
export function polledFeed(
  feed: ReferenceFeed,
  symbols: ReadonlySet<string>,
  { from, everyMs }: { readonly from: Millis; readonly everyMs: number },
): Feed {
  return new PolledFeed(feed.only(symbols), from, everyMs);
}

class PolledFeed implements Feed {
  private readonly feed: ReferenceFeed;
  private readonly everyMs: number;
  nextAt = 0;

  constructor(feed: ReferenceFeed, from: Millis, everyMs: number) {
    this.feed = feed;
    this.everyMs = everyMs;
    this.nextAt = from;
  }

  take(): readonly QuoteEvent[] {
    const receivedAt = millis(this.nextAt);
    this.nextAt += this.everyMs;
    const { name } = this.feed;
    return this.feed.read(receivedAt).map((row) => eventOf(row, name, receivedAt));
  }
}

function eventOf({ symbol, bid, ask, at }: ReferenceRow, source: string, receivedAt: Millis): QuoteEvent {
  return { kind: "quote", symbol, bid, ask, bidSize: undefined, askSize: undefined, source, at, receivedAt };
}
