// Sample standard deviation (divisor count - 1) over the last `length` values; 0 for a single value.

import { Signal, windowOf } from "./signal.ts";
import { Window } from "./window.ts";

export function deviation(length: number): Deviation {
  return new Deviation(length);
}

class Deviation extends Signal {
  readonly kind = "deviation";
  readonly args: readonly number[];
  readonly #window: Window;
  #origin = 0.5;
  #sum = 0.5;
  #squares = 0.5;

  constructor(length: number) {
    super();
    this.args = [windowOf(length, "deviation")];
    this.#window = new Window(length);
    this.#restart(0);
  }

  next(value: number): number {
    const window = this.#window;
    this.fed(value);
    if (window.size === 0) this.#restart(value);
    const { isFull } = window;
    const replaced = window.push(value);
    if (isFull) this.#count(replaced, -1);
    this.#count(value, 1);
    if (window.isAtStart) this.#recount(value);
    return this.#deviation();
  }

  save(): number[] {
    return this.#window.save(this.#origin, this.#sum, this.#squares);
  }

  load([origin = Number.NaN, sum = Number.NaN, squares = Number.NaN, ...window]: readonly number[]): void {
    this.#window.load(window, "deviation");
    this.#origin = this.loaded(origin);
    this.#sum = this.loaded(sum);
    this.#squares = this.loaded(squares);
  }

  /**
   * Distances are taken from a value of the window and not from zero, where squares of prices near 1 would swamp the
   * differences.
   */
  #restart(origin: number): void {
    this.#origin = origin;
    this.#sum = 0;
    this.#squares = 0;
  }

  #count(value: number, times: 1 | -1): void {
    const distance = value - this.#origin;
    this.#sum += times * distance;
    this.#squares += times * distance * distance;
  }

  /** Recomputed once per round, so that rounding does not accumulate and the origin stays near the values. */
  #recount(origin: number): void {
    this.#restart(origin);
    for (let i = 0; i < this.#window.size; i++) this.#count(this.#window.at(i), 1);
  }

  #deviation(): number {
    const count = this.#window.size;
    if (count < 2) return 0;
    return Math.sqrt(Math.max(0, this.#squares - (this.#sum * this.#sum) / count) / (count - 1));
  }
}
