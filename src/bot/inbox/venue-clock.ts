// The clock that stamps events: our wall clock, capped by the venue's clock as known from its answers. No day of the
// books opens before the venue's day, however wrong this machine's clock is.

import type { QuoteEvent } from "../../domain/event.ts";
import { type Clock, type Millis, type Mono, millis } from "../../domain/time.ts";
import { durationText } from "../../domain/time-text.ts";

export interface VenueClock extends Clock {
  /** Takes the Date of an answer that has just arrived; undefined if it had none. */
  heard(at: Millis | undefined): void;
}

export interface BotClock extends VenueClock {
  /**
   * True once the venue has answered: the time no longer rests on our clock alone, provided that the venue sends a
   * Date.
   */
  readonly isHeard: boolean;
}

/** Enough samples to include a Date that was truncated little, few enough to follow a drift between the two clocks. */
const HEARD_MAX = 64;
/** A Date header has whole seconds; other times are truncated alike, so that every transport gives the same time. */
const DATE_MS = 1_000;

/**
 * `aheadBeforeMs`: how far our clock is ahead of the venue's as it was last measured. It counts until
 * this process hears the venue itself, because their timestamps are compared with this time from the start.
 */
export function createVenueClock(clock: Clock, aheadBeforeMs = 0): BotClock {
  const heard = new HeardTime();
  // Rounded, because the monotonic clock has fractions and times of day here have none.
  let aheadMs = Math.ceil(aheadBeforeMs);
  let isHeard = false;
  return {
    now: () => heard.bound(millis(clock.now() - aheadMs), clock.monotonic()),
    monotonic: () => clock.monotonic(),
    get isHeard() {
      return isHeard;
    },
    heard(at) {
      isHeard = true;
      if (at !== undefined) aheadMs = 0;
      heard.put(at, clock.monotonic());
    },
  };
}

/** The venue's clock, estimated from its answers. */
export class HeardTime {
  /** When an answer arrived the venue's clock was at least at its Date, so each offset gives a lower bound of it. */
  private readonly offsets: number[] = [];
  private best = Number.POSITIVE_INFINITY;

  put(at: Millis | undefined, monotonic: Mono): void {
    if (at === undefined) return;
    const offset = Math.floor(at / DATE_MS) * DATE_MS - monotonic;
    const isFirst = this.offsets.push(offset) === 1;
    const isBestGone = this.offsets.length > HEARD_MAX && this.offsets.shift() === this.best;
    this.best = isFirst || isBestGone ? Math.max(...this.offsets) : Math.max(this.best, offset);
  }

  /** Our wall clock, capped by the venue's. */
  bound(now: Millis, monotonic: Mono): Millis {
    return millis(Math.min(now, Math.floor(monotonic + this.best)));
  }
}

// Feed prices that arrive before the venue's first answer. Until then only our own clock gives their time, and the
// books, whose time never goes back, would adopt it. The last price of each pair waits and is then passed on with its
// age.

type Waiting = { readonly quote: QuoteEvent; readonly since: Mono };

export class EarlyQuotes {
  readonly #clock: BotClock;
  /** Keyed by source and pair. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(clock: BotClock) {
    this.#clock = clock;
  }

  /** The quotes that may pass now: this one, or none yet. */
  take(quote: QuoteEvent): readonly QuoteEvent[] {
    const key = `${quote.source} ${quote.symbol}`;
    this.#waiting.delete(key);
    if (this.#clock.isHeard) return [quote];
    this.#waiting.set(key, { quote, since: this.#clock.monotonic() });
    return [];
  }

  /** The waiting quotes in order, once the venue has answered. */
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

// The books' time is that of their newest event and never goes back. If a clock was ahead when an event was recorded,
// time stands still until then: every price counts as old and no order is placed. That is safe but must be reported.

/** The tolerated error of a machine's clock; less than the maximum age of any price. */
const AHEAD_MS_MAX = 2_000;

/** The warning for people; undefined while the books are not ahead. `now` is capped by the venue's clock. */
export function timeAhead(books: Millis, now: number): string | undefined {
  const aheadMs = books - now;
  if (!(aheadMs > AHEAD_MS_MAX && Number.isFinite(aheadMs))) return undefined;
  return `the journal's time is ${durationText(aheadMs)} ahead of the clock: some clock was ahead when it was written. Until ${new Date(books).toISOString()} every price counts as old and nothing is ordered; then it goes on by itself. If this machine's clock is behind, set it right; to trade sooner, begin a new journal (docs/operate/maintain.md#a-journal-whose-time-is-ahead)`;
}
