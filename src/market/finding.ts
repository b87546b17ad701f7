// The sheets of working of fair values. They are made once and written over, so that asking for a value allocates nothing; each
// number begins as a fraction, so that the runtime keeps it as a float from the start.

import type { SourcePrice } from "./pair-prices.ts";

/** A fair value and how sure it is. */
export class Finding {
  value = 0.5;
  /** Of the oldest price behind it. */
  ageMs = 0.5;
  sources = 0;
  /** How far apart its sources are. */
  apartBps = 0.5;
  spreadBps = 0.5;
  /** Infinite when there is none. */
  collarBps = 0.5;
}

/** The sources of one pair, taken one by one. */
export class SourceTally {
  /** How many values there are for the median; the venue's quote beside par is a source and no value. */
  count = 0;
  sources = 0;
  ageMs = 0.5;
  spreadBps = 0.5;
  #lowest = 0.5;
  #highest = 0.5;
  readonly #values = new Float64Array(17);

  clear(): void {
    this.count = 0;
    this.sources = 0;
    this.ageMs = 0;
    this.spreadBps = 0;
    this.#lowest = Number.POSITIVE_INFINITY;
    this.#highest = Number.NEGATIVE_INFINITY;
  }

  /** Between the lowest and the highest that was said. */
  get range(): number {
    return this.#highest - this.#lowest;
  }

  /** A source that has no age and no spread: par. */
  takePar(): void {
    this.sources++;
    this.insert(1);
    if (this.#lowest > 1) this.#lowest = 1;
    if (this.#highest < 1) this.#highest = 1;
  }

  take(source: SourcePrice, now: number): void {
    const mid = (source.bid + source.ask) / 2;
    const ageMs = now - source.since;
    const spreadBps = ((source.ask - source.bid) / mid) * 1e4;
    this.sources++;
    if (mid < this.#lowest) this.#lowest = mid;
    if (mid > this.#highest) this.#highest = mid;
    if (ageMs > this.ageMs) this.ageMs = ageMs;
    if (spreadBps > this.spreadBps) this.spreadBps = spreadBps;
  }

  /** Kept sorted, for the median. */
  insert(value: number): void {
    let place = this.count++;
    for (; place > 0 && (this.#values[place - 1] as number) > value; place--)
      this.#values[place] = this.#values[place - 1] as number;
    this.#values[place] = value;
  }

  median(): number {
    const half = this.count >> 1;
    const upper = this.#values[half] as number;
    return (this.count & 1) === 1 ? upper : ((this.#values[half - 1] as number) + upper) / 2;
  }
}
