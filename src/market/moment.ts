// The time of judgement: that of the newest event, never going back, and the count of events. One small object shared
// by the engine and its parts, so that no time is passed as a boxed number.

export class Moment {
  /** UTC milliseconds; minus infinity before the first event. */
  now = Number.NEGATIVE_INFINITY;
  sequence = 0;
  /** Counts price updates and new pairs: while it is equal, only time can change values derived from prices. */
  prices = 0;

  /** Advances to the next event. */
  next(receivedAt: number): void {
    this.sequence++;
    this.reach(receivedAt);
  }

  reach(time: number): void {
    if (time > this.now) this.now = time;
  }
}
