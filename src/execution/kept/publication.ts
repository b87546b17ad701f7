// How long the venue takes from answering an order to showing its trade: measured with every fill, because the window
// after which silence counts as absence rests on it.

/** The slowest of so many of the last fills counts. */
const KEPT = 1_000;

export type SavedPublication = {
  readonly delaysMs: readonly number[];
  readonly slowestMs: number;
  readonly slowest: number;
  readonly measured: number;
  readonly acknowledged: number;
};

export class Publication {
  private readonly delaysMs = new Float64Array(KEPT);
  slowestMs = 0;
  /** How many of them took as long as the slowest. Delays come in whole steps; only when all of these have gone is the next slowest looked for. */
  private slowest = KEPT;
  private measured = 0;
  /** Orders that were answered as filled and then seen in history. */
  acknowledged = 0;

  /** `delayMs`: undefined where no process was there to look in between. */
  saw(delayMs: number | undefined): void {
    this.acknowledged++;
    if (delayMs === undefined) return;
    const index = this.measured++ % KEPT;
    const gone = this.delaysMs[index] ?? 0;
    // A wall clock that was set back would measure less than nothing.
    const come = Math.max(0, delayMs);
    this.delaysMs[index] = come;
    if (come > this.slowestMs) {
      this.slowestMs = come;
      this.slowest = 1;
      return;
    }
    if (come === this.slowestMs) this.slowest++;
    if (gone === this.slowestMs && --this.slowest === 0) this.lookAgain();
  }

  save(): SavedPublication {
    const { slowestMs, slowest, measured, acknowledged } = this;
    return { delaysMs: [...this.delaysMs], slowestMs, slowest, measured, acknowledged };
  }

  load({ delaysMs, slowestMs, slowest, measured, acknowledged }: SavedPublication): void {
    this.delaysMs.set(delaysMs);
    this.slowestMs = slowestMs;
    this.slowest = slowest;
    this.measured = measured;
    this.acknowledged = acknowledged;
  }

  private lookAgain(): void {
    const delaysMs = this.delaysMs;
    let slowestMs = 0;
    let slowest = 0;
    for (let i = 0; i < KEPT; i++) {
      const delayMs = delaysMs[i] as number;
      if (delayMs > slowestMs) {
        slowestMs = delayMs;
        slowest = 1;
      } else if (delayMs === slowestMs) slowest++;
    }
    this.slowestMs = slowestMs;
    this.slowest = slowest;
  }
}
