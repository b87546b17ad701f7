// The clock that mints, rails and payments settle by: it runs `speed` times as fast as the system clock and can be moved
// ahead by hand. Nothing else in the service looks at it.

import { type Clock, type Millis, millis } from "../domain/time.ts";
import type { Moment } from "./core/record.ts";

export class SettlementClock {
  private readonly clock: Clock;
  private readonly speed: number;
  private anchor: Moment;
  private latest: Millis;

  constructor(clock: Clock, speed: number) {
    this.clock = clock;
    this.speed = speed;
    const now = clock.now();
    this.anchor = { venue: now, settlement: now };
    this.latest = now;
  }

  /** Neither part ever goes back, also when the system clock does. */
  moment(): Moment {
    const venue = millis(Math.max(this.clock.now(), this.latest));
    this.latest = venue;
    const settlement = this.anchor.settlement + Math.floor((venue - this.anchor.venue) * this.speed);
    return { venue, settlement: millis(settlement) };
  }

  advance(ms: number): Moment {
    const { venue, settlement } = this.moment();
    this.anchor = { venue, settlement: millis(settlement + ms) };
    return this.anchor;
  }

  /** Goes on from a moment of an earlier run; the time in between has passed. */
  resume(last: Moment): void {
    this.anchor = last;
    this.latest = last.venue;
  }
}
