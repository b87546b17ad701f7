// The time at which things are judged: that of the newest event, never going back, and the count of events. One small
// object that the engine and its parts share, so that no time is handed around as a boxed number.

export class Moment {
  /** UTC milliseconds; before the first event it is the beginning of all time. */
  now = Number.NEGATIVE_INFINITY;
  sequence = 0;
  /** Counts what was heard of prices, and new pairs: while it stands still only time can change what they say. */
  prices = 0;

  /** The next event. */
  next(receivedAt: number): void {
    this.sequence++;
    this.reach(receivedAt);
  }

  reach(time: number): void {
    if (time > this.now) this.now = time;
  }
}
