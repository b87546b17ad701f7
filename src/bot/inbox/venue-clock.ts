// The time that events are stamped with: our wall clock, but never later than the venue's own was heard to say. So no day
// of the books opens before the venue's does, however wrong the clock of this machine is.

import type { QuoteEvent } from "../../domain/event.ts";
import { type Clock, type Millis, type Mono, millis } from "../../domain/time.ts";
import { durationText } from "../../domain/time-text.ts";

export interface VenueClock extends Clock {
  /** The Date of an answer that has just come; undefined when it had none. */
  heard(at: Millis | undefined): void;
}

export interface BotClock extends VenueClock {
  /** The venue has answered: what this says is not our clock's word alone, as far as the venue tells the time. */
  readonly isHeard: boolean;
}

/** Enough to meet a Date that was cut off little, few enough to forget a drift between the two clocks. */
const HEARD_MAX = 64;
/** A Date header knows no fractions: others are cut off alike, so that every transport tells the same time. */
const DATE_MS = 1_000;

/**
 * `aheadBeforeMs`: so much our clock is ahead of the venue's by what other processes of the key heard. It counts until this one hears
 * the venue itself: what they stamped is compared with this time from the first moment on.
 */
export function createVenueClock(clock: Clock, aheadBeforeMs = 0): BotClock {
  const heard = new HeardTime();
  // Without fractions, which the monotonic clock has and no time of day here.
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

/** What the venue's own clock was heard to say. */
export class HeardTime {
  /** The venue's clock was at least the Date when the answer came, so each of these is a lower bound of what it says. */
  private readonly offsets: number[] = [];
  private best = Number.POSITIVE_INFINITY;

  put(at: Millis | undefined, monotonic: Mono): void {
    if (at === undefined) return;
    const offset = Math.floor(at / DATE_MS) * DATE_MS - monotonic;
    const isFirst = this.offsets.push(offset) === 1;
    const isBestGone = this.offsets.length > HEARD_MAX && this.offsets.shift() === this.best;
    this.best = isFirst || isBestGone ? Math.max(...this.offsets) : Math.max(this.best, offset);
  }

  /** Our wall clock, and never later than that. */
  bound(now: Millis, monotonic: Mono): Millis {
    return millis(Math.min(now, Math.floor(monotonic + this.best)));
  }
}

// Prices of feeds that speak before the venue has been heard: only our own clock says when that was, and the books,
// whose time never goes back, would take its word for it. The last of each waits, and is told as old as it has become.

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

// The books' time is that of their newest event and never goes back. Where a clock was ahead when it was recorded, it stands still
// until that time has come: every price counts as old and nothing is ordered. That is safe, and has to have a name.

/** As far as the clock of a machine may be off; less than any price may be old. */
const AHEAD_MS_MAX = 2_000;

/** What people are told; undefined while the books are not ahead. `now` is not later than the venue's clock. */
export function timeAhead(books: Millis, now: number): string | undefined {
  const aheadMs = books - now;
  if (!(aheadMs > AHEAD_MS_MAX && Number.isFinite(aheadMs))) return undefined;
  return `the journal's time is ${durationText(aheadMs)} ahead of the clock: some clock was ahead when it was written. Until ${new Date(books).toISOString()} every price counts as old and nothing is ordered; then it goes on by itself. If this machine's clock is behind, set it right; to trade sooner, begin a new journal (docs/OPERATIONS.md, "A journal whose time is ahead")`;
}
