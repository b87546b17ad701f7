// The time of a backtest: it stands still until it is moved, so that every read within the same moment gives the very
// same numbers, read off once.

import { HeardTime, type VenueClock } from "../../src/bot/inbox/venue-clock.ts";
import { type Millis, type Mono, millis, mono } from "../../src/domain/time.ts";
import type { Moment } from "../../src/execution/request.ts";

export class VirtualTime {
  readonly from: Millis;
  /** Since the beginning, with its fraction. */
  elapsed: Mono = mono(0);
  /** The wall clock, in whole milliseconds. A number from the beginning, as whatever changes with everything that happens (ADR 0005). */
  wall = millis(0);
  /** The wall clock, and never later than the venue's was heard to say: what events are stamped with. */
  readonly venue: VenueClock;
  private readonly said = new HeardTime();
  /** The latest time of the venue's that came with its own data. */
  private toldAt = Number.NEGATIVE_INFINITY;
  private moment: Moment;
  private isNew = true;

  constructor(from: Millis) {
    this.from = from;
    this.wall = millis(Math.floor(from));
    this.moment = { at: this.wall, mono: this.elapsed };
    this.venue = {
      now: () => this.now().at,
      monotonic: () => this.elapsed,
      heard: (at) => this.heard(at),
    };
  }

  /** The venue's Date of an answer that has just come. */
  heard(at: Millis | undefined): void {
    this.said.put(at, this.elapsed);
    this.isNew = true;
  }

  /** Data of the venue's from this moment have come: whatever else was heard of its clock, it is no earlier. */
  told(at: number): void {
    if (at <= this.toldAt) return;
    this.toldAt = at;
    this.isNew = true;
  }

  /** Whether the venue's clock, which lags so much by what else was heard of it, will still be behind what its data have told. */
  isBehind(at: number, lagMs: number): boolean {
    return this.from + at - lagMs < this.toldAt;
  }

  /** Never back. */
  move(elapsed: number): void {
    if (elapsed <= this.elapsed) return;
    this.elapsed = mono(elapsed);
    this.wall = millis(Math.floor(this.from + elapsed));
    this.isNew = true;
  }

  /** By the venue's clock: the same object as long as it is the same moment. */
  readonly now = (): Moment => {
    if (!this.isNew) return this.moment;
    this.isNew = false;
    const { moment, elapsed } = this;
    const at = millis(Math.max(this.said.bound(this.wall, elapsed), this.toldAt));
    if (at !== moment.at || elapsed !== moment.mono) this.moment = { at, mono: elapsed };
    return this.moment;
  };

  /** How far the venue's clock will be behind the wall clock with its fraction, unless it is heard before. */
  lagMs(at: number): number {
    const elapsed = mono(Math.max(at, this.elapsed));
    const exactly = this.from + elapsed;
    return exactly - this.said.bound(millis(Math.floor(exactly)), elapsed);
  }

  /** The wall clock with its fraction. */
  get exactly(): number {
    return this.from + this.elapsed;
  }
}

// What is still to come, by its time; at the same time in the order in which it was put in. There are only ever a handful,
// so a sorted row is the fastest heap; and what comes again and again is one object that is put in again.

/** Something that happens at its time. It waits in one place at most. */
export class Due {
  /** Infinite while it does not wait. */
  at = Number.POSITIVE_INFINITY;
  readonly run: () => void;

  constructor(run: () => void) {
    this.run = run;
  }
}

export class DueList {
  /** The latest first: what is due next is taken from the end. */
  private readonly row: Due[] = [];
  /** When the next thing is due; infinite when there is none. */
  nextAt = Number.POSITIVE_INFINITY;

  add(due: Due, at: number): void {
    const { row } = this;
    due.at = at;
    let place = row.length;
    row.push(due);
    for (; place > 0 && (row[place - 1] as Due).at <= at; place--) row[place] = row[place - 1] as Due;
    row[place] = due;
    if (at < this.nextAt) this.nextAt = at;
  }

  remove(due: Due): void {
    const { row } = this;
    const last = row.length - 1;
    let place = last;
    while (place >= 0 && row[place] !== due) place--;
    if (place < 0) return;
    for (; place < last; place++) row[place] = row[place + 1] as Due;
    row.pop();
    this.left(due);
  }

  /** What is due next no longer waits. */
  take(): Due | undefined {
    const due = this.row.pop();
    if (due !== undefined) this.left(due);
    return due;
  }

  private left(due: Due): void {
    const { row } = this;
    due.at = Number.POSITIVE_INFINITY;
    this.nextAt = row.length === 0 ? Number.POSITIVE_INFINITY : (row[row.length - 1] as Due).at;
  }
}
