// What is still to come, by its time; at the same time in the order in which it was put in. There are only ever a handful,
// so a sorted row is the fastest heap; and what comes again and again is one object that is put in again.

import { emptyList } from "../../src/domain/empty-list.ts";

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
  private readonly row = emptyList<Due>();
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
