// The highest or lowest of the last `length` values. Values that can never be the extreme again are dropped at once, so
// each is inserted and removed once: the cost does not grow with the window.

import { requireSaved, Signal, windowOf } from "./signal.ts";

export function highest(length: number): Extreme {
  return new Extreme("highest", length);
}

export function lowest(length: number): Extreme {
  return new Extreme("lowest", length);
}

export class Extreme extends Signal {
  readonly kind: "highest" | "lowest";
  readonly args: readonly number[];
  readonly #length: number;
  /** Candidates in a ring, each beaten by none after it: values and arrival times. */
  readonly #values: Float64Array;
  readonly #times: Float64Array;
  #first = 0;
  #size = 0;
  #time = 0.5;

  constructor(kind: "highest" | "lowest", length: number) {
    super();
    this.kind = kind;
    this.#length = windowOf(length, kind);
    this.args = [length];
    this.#values = new Float64Array(length);
    this.#times = new Float64Array(length);
    this.#time = 0;
  }

  next(value: number): number {
    this.fed(value);
    this.#time++;
    if (this.#size > 0 && (this.#times[this.#first] as number) <= this.#time - this.#length) {
      this.#first = this.#place(1);
      this.#size--;
    }
    while (this.#size > 0 && this.#isBeaten(this.#values[this.#place(this.#size - 1)] as number, value)) this.#size--;
    const place = this.#place(this.#size++);
    this.#values[place] = value;
    this.#times[place] = this.#time;
    return this.#values[this.#first] as number;
  }

  save(): number[] {
    return [this.#first, this.#size, this.#time, ...this.#values, ...this.#times];
  }

  load(saved: readonly number[]): void {
    requireSaved(saved, 3 + 2 * this.#length, this.kind);
    const [first, size, time] = saved as [number, number, number];
    if (!(first >= 0 && first < this.#length && size >= 0 && size <= this.#length && time >= 0))
      throw new RangeError(`saved ${this.kind} must lie within its window, was ${size} from ${first}`);
    this.#first = first;
    this.#size = size;
    this.#time = time;
    this.#values.set(saved.slice(3, 3 + this.#length));
    this.#times.set(saved.slice(3 + this.#length));
  }

  #isBeaten(old: number, value: number): boolean {
    return this.kind === "highest" ? old <= value : old >= value;
  }

  #place(offset: number): number {
    const place = this.#first + offset;
    return place >= this.#length ? place - this.#length : place;
  }
}
