// The time that events are stamped with: our wall clock, but never later than the venue's own was heard to say. So no day
// of the books opens before the venue's does, however wrong the clock of this machine is.

import { type Clock, type Millis, type Mono, millis } from "../domain/time.ts";

export interface VenueClock extends Clock {
  /** The Date of an answer that has just come; undefined when it had none. */
  heard(at: Millis | undefined): void;
}

/** Enough to meet a Date that was cut off little, few enough to forget a drift between the two clocks. */
const HEARD_MAX = 64;
/** A Date header knows no fractions: others are cut off alike, so that every transport tells the same time. */
const DATE_MS = 1_000;

export function createVenueClock(clock: Clock): VenueClock {
  // The venue's clock was at least the Date when the answer came, so each of these is a lower bound of what it says.
  const offsets: number[] = [];
  let oldest = 0;
  let best = Number.POSITIVE_INFINITY;
  return {
    now: (): Millis => millis(Math.min(clock.now(), Math.floor(clock.monotonic() + best))),
    monotonic: (): Mono => clock.monotonic(),
    heard(at) {
      if (at === undefined) return;
      const gone = offsets[oldest];
      const come = Math.floor(at / DATE_MS) * DATE_MS - clock.monotonic();
      offsets[oldest] = come;
      oldest = (oldest + 1) % HEARD_MAX;
      if (gone === undefined ? offsets.length === 1 : gone === best && come < best) best = Math.max(...offsets);
      else best = Math.max(best, come);
    },
  };
}
