// The times of a file in a zone of its own, row after row. An hour that the clock goes through twice is told apart by the order
// of its rows; where they never go back they may be of either, are taken for the first, and are counted.

import { type ProblemLog, REPEATED_HOUR } from "./problem.ts";
import type { Zone } from "./zone.ts";

export class WallClock {
  private readonly zone: Zone;
  private readonly log: ProblemLog;
  /** Two bars cannot open at the same time, two quotes can come in the same millisecond. */
  private readonly stepMsMin: number;
  private last = Number.NEGATIVE_INFINITY;
  private lastStep = 0;
  /** Rows of an hour that comes twice, of which none was seen to be of the second. */
  private doubtful = 0;

  constructor(zone: Zone, kind: "quotes" | "bars", log: ProblemLog) {
    this.zone = zone;
    this.log = log;
    this.stepMsMin = kind === "bars" ? 1 : 0;
  }

  /** UTC, or NaN where the clock leapt over it. */
  toUtc(local: number): number {
    const [first, second] = this.zone.toUtc(local);
    if (Number.isNaN(first)) return first;
    let time = first;
    if (second !== first) {
      // Rows an hour apart show the same clock twice; of quotes in quick succession it is one millisecond.
      const isAgain = first === this.last && this.lastStep >= second - first;
      if (first < this.last + this.stepMsMin || isAgain) time = second;
      this.count(time === first);
    } else this.doubtful = 0;
    this.lastStep = Number.isFinite(this.last) ? time - this.last : 0;
    this.last = time;
    return time;
  }

  private count(isFirst: boolean): void {
    this.log.count(REPEATED_HOUR, isFirst ? 1 : -this.doubtful);
    this.doubtful = isFirst ? this.doubtful + 1 : 0;
  }
}
