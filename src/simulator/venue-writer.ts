// The only entry for changes of the venue: it performs an action at its moment, and has the result on
// disk (if there is a state file) before the caller may answer.

import { type Clock, type Millis, millis } from "../domain/time.ts";
import type { Moment } from "./core/record.ts";
import type { Answer } from "./core/refusal.ts";
import type { VenueFaults } from "./core/settings.ts";
import type { Venue } from "./core/venue.ts";
import type { StateFile } from "./state-file.ts";

/** One change, whole in the state file or not at all. */
export type Action<T> = (venue: Venue, moment: Moment) => Answer<T>;

export class VenueWriter {
  readonly venue: Venue;
  private readonly settlement: SettlementClock;
  private readonly file: StateFile | undefined;

  constructor(venue: Venue, settlement: SettlementClock, file: StateFile | undefined) {
    this.venue = venue;
    this.settlement = settlement;
    this.file = file;
  }

  moment(): Moment {
    return this.settlement.moment();
  }

  /** `faults` apply to this one action. */
  async perform<T>(act: Action<T>, faults: Partial<VenueFaults> = {}): Promise<Answer<T>> {
    const { venue } = this;
    const before = venue.faults();
    venue.setFaults(faults);
    let answer: Answer<T>;
    try {
      answer = act(venue, this.moment());
    } finally {
      venue.setFaults(before);
    }
    await this.synced();
    return answer;
  }

  async advance(ms: number): Promise<Moment> {
    const moment = this.settlement.advance(ms);
    this.venue.advance(moment);
    await this.synced();
    return moment;
  }

  /** No answer leaves earlier: it may show what fell due at a read, or what others changed in the meantime. */
  async synced(): Promise<void> {
    await this.file?.synced();
  }
}

// The clock for the settlement of mints, rails and payments: it runs `speed` times as fast as the system clock and can
// be advanced by hand. Nothing else in the service reads it.

export class SettlementClock {
  private readonly clock: Clock;
  private readonly speed: number;
  private anchor: Moment;
  private latest: Millis;
  /** By hand, in all. */
  advancedMs = 0;

  /** From a moment of an earlier run on the time in between counts as passed. */
  constructor(clock: Clock, speed = 1, last?: Moment) {
    this.clock = clock;
    this.speed = speed;
    const now = clock.now();
    this.anchor = last ?? { venue: now, settlement: now };
    this.latest = this.anchor.venue;
  }

  /** Neither part ever goes back, even when the system clock does. */
  moment(): Moment {
    const venue = millis(Math.max(this.clock.now(), this.latest));
    this.latest = venue;
    const settlement = this.anchor.settlement + Math.floor((venue - this.anchor.venue) * this.speed);
    return { venue, settlement: millis(settlement) };
  }

  advance(ms: number): Moment {
    const { venue, settlement } = this.moment();
    this.anchor = { venue, settlement: millis(settlement + ms) };
    this.advancedMs += ms;
    return this.anchor;
  }
}
