// The clock of a backtest. It stands still until it is moved, so every read within a moment returns the same numbers,
// computed once.

import { HeardTime, type VenueClock } from "../../src/bot/inbox/venue-clock.ts";
import { type Millis, type Mono, millis, mono } from "../../src/domain/time.ts";
import type { Moment } from "../../src/execution/request.ts";

export class VirtualTime {
  readonly from: Millis;
  /** Since the start, with fractions of a millisecond. */
  elapsed: Mono = mono(0);
  /** The wall clock, in whole milliseconds. */
  wall = millis(0);
  /** The wall clock, bounded by the venue's stated time; events are stamped with it. */
  readonly venue: VenueClock;
  private readonly said = new HeardTime();
  /** The latest venue time that came with venue data. */
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

  /** Takes the Date header of an answer that has just arrived. */
  heard(at: Millis | undefined): void {
    this.said.put(at, this.elapsed);
    this.isNew = true;
  }

  /** Venue data of this time have arrived: the venue's clock is no earlier, whatever its answers stated. */
  told(at: number): void {
    if (at <= this.toldAt) return;
    this.toldAt = at;
    this.isNew = true;
  }

  /** Time never goes back. */
  move(elapsed: number): void {
    if (elapsed <= this.elapsed) return;
    this.elapsed = mono(elapsed);
    this.wall = millis(Math.floor(this.from + elapsed));
    this.isNew = true;
  }

  /** The moment by the venue's clock; the same object while the moment does not change. */
  readonly now = (): Moment => {
    if (!this.isNew) return this.moment;
    this.isNew = false;
    const { moment, elapsed } = this;
    const at = millis(Math.max(this.said.bound(this.wall, elapsed), this.toldAt));
    if (at !== moment.at || elapsed !== moment.mono) this.moment = { at, mono: elapsed };
    return this.moment;
  };

  /** The wall clock with its fraction. */
  get exactly(): number {
    return this.from + this.elapsed;
  }
}

// The items to come, by time; on equal times in order of insertion. There are only a handful, so a sorted array is
// faster than a heap. A recurring item is one object that is inserted again.

/** An action with a time. It is in one list at most, and there once. */
export class Due {
  /** Infinite while it is in no list. */
  at = Number.POSITIVE_INFINITY;
  readonly run: () => void;

  constructor(run: () => void) {
    this.run = run;
  }
}

export class DueList {
  /** Latest first: the next item is taken from the end. */
  private readonly row: Due[] = [];
  /** When the next item is due; infinite when there is none. */
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

  /** Removes and returns the item that is due next. */
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
