// A recorded feed of any length: its chunks one after the other, in the memory of one.

import type { QuoteEvent } from "../../src/domain/event.ts";
import type { QuoteSource, Span } from "../data/source.ts";
import { columnFeed, type Feed } from "./feed.ts";

const NOTHING: Feed = { nextAt: Number.POSITIVE_INFINITY, take: () => [] };

/** `name` is the source that its quotes name. */
export function sourceFeed(name: string, source: QuoteSource, span?: Span): Feed {
  const chunks = source.chunks(span)[Symbol.iterator]();
  const next = (): Feed => {
    const { done, value } = chunks.next();
    return done === true ? NOTHING : columnFeed(name, value);
  };
  let feed = next();
  return {
    get nextAt() {
      return feed.nextAt;
    },
    take(): readonly QuoteEvent[] {
      const quotes = feed.take();
      if (feed.nextAt === Number.POSITIVE_INFINITY) feed = next();
      return quotes;
    },
  };
}
