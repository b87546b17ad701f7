// The time of a backtest: it stands still until it is moved, so that whoever asks within the same moment is given the very
// same numbers, read off once.

import { createVenueClock, type VenueClock } from "../../src/bot/venue-clock.ts";
import { type Clock, type Millis, type Mono, millis, mono } from "../../src/domain/time.ts";
import type { Moment } from "../../src/execution/submission.ts";

export class VirtualTime {
  readonly from: Millis;
  /** Since the beginning, with its fraction. */
  elapsed: Mono = mono(0);
  /** The wall clock, in whole milliseconds. */
  wall: Millis;
  /** The wall clock, and never later than the venue's was heard to say: what events are stamped with. */
  readonly venue: VenueClock;
  private readonly heard: VenueClock;
  private moment: Moment;
  private isNew = true;

  constructor(from: Millis) {
    this.from = from;
    this.wall = millis(Math.floor(from));
    const clock: Clock = { now: () => this.wall, monotonic: () => this.elapsed };
    this.heard = createVenueClock(clock);
    this.moment = { at: this.wall, mono: this.elapsed };
    this.venue = {
      now: () => this.now().at,
      monotonic: () => this.elapsed,
      heard: (at) => {
        this.heard.heard(at);
        this.isNew = true;
      },
    };
  }

  /** Never back. */
  move(elapsed: number): void {
    if (elapsed <= this.elapsed) return;
    this.elapsed = mono(elapsed);
    this.wall = millis(Math.floor(this.from + elapsed));
    this.isNew = true;
  }

  /** By the venue's clock: the same object as long as it is the same moment. */
  now(): Moment {
    if (!this.isNew) return this.moment;
    this.isNew = false;
    const at = this.heard.now();
    const { moment, elapsed } = this;
    if (at !== moment.at || elapsed !== moment.mono) this.moment = { at, mono: elapsed };
    return this.moment;
  }

  /** The wall clock with its fraction. */
  get exactly(): number {
    return this.from + this.elapsed;
  }
}
