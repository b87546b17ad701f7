// The time that events are stamped with: our wall clock, but never later than the venue's own was heard to say. So no day
// of the books opens before the venue's does, however wrong the clock of this machine is.

import { type Clock, type Millis, type Mono, millis } from "../../domain/time.ts";

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
