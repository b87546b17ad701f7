// The engine's time: that of the newest event, never going back. One small object that the engine's parts share, so that
// no time is handed around as a boxed number.

export class Moment {
  /** UTC milliseconds; before the first event it is the beginning of all time. */
  now = Number.NEGATIVE_INFINITY;

  advance(to: number): void {
    if (to > this.now) this.now = to;
  }
}
