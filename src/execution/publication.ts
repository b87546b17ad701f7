// How long the venue takes from answering an order to showing its trade: measured with every fill, because the window
// after which silence counts as absence rests on it.

/** Of so many of the last fills the slowest counts. */
const KEPT = 1_000;

export class Publication {
  readonly #delaysMs = new Float64Array(KEPT);
  #slowestMs = 0;
  /** Orders that were answered as filled and then seen in history. */
  acknowledged = 0;

  get slowestMs(): number {
    return this.#slowestMs;
  }

  saw(delayMs: number): void {
    const index = this.acknowledged % KEPT;
    const gone = this.#delaysMs[index] ?? 0;
    // A wall clock that was set back measures nothing.
    const come = Math.max(0, delayMs);
    this.#delaysMs[index] = come;
    this.acknowledged++;
    if (come >= this.#slowestMs) this.#slowestMs = come;
    else if (gone === this.#slowestMs) this.#slowestMs = Math.max(...this.#delaysMs);
  }
}
