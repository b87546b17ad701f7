// Prices of feeds that speak before the venue has been heard: nobody but our own clock says yet when that was, and the books,
// whose time never goes back, would take its word for it. The last of each waits, and is told as old as it has become.

import type { QuoteEvent } from "../../domain/event.ts";
import { type Mono, millis } from "../../domain/time.ts";
import type { BotClock } from "./venue-clock.ts";

type Waiting = { readonly quote: QuoteEvent; readonly since: Mono };

export class EarlyQuotes {
  readonly #clock: BotClock;
  /** By source and pair. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(clock: BotClock) {
    this.#clock = clock;
  }

  /** What may be told now: the quote itself, or nothing yet. */
  take(quote: QuoteEvent): readonly QuoteEvent[] {
    const key = `${quote.source} ${quote.symbol}`;
    this.#waiting.delete(key);
    if (this.#clock.isHeard) return [quote];
    this.#waiting.set(key, { quote, since: this.#clock.monotonic() });
    return [];
  }

  /** Those that waited, in their order, once the venue has been heard. */
  released(): readonly QuoteEvent[] {
    if (this.#waiting.size === 0 || !this.#clock.isHeard) return [];
    const now = this.#clock.now();
    const mono = this.#clock.monotonic();
    const quotes = [...this.#waiting.values()].map(({ quote, since }) => {
      const heardAt = Math.floor(now - (mono - since));
      return { ...quote, receivedAt: millis(Math.min(quote.receivedAt, heardAt)) };
    });
    this.#waiting.clear();
    return quotes;
  }
}
