// Exponential moving average: each value weighs 2 / (length + 1); the first value is the initial average.

import { requireSaved, Signal, windowOf } from "./signal.ts";

export function ema(length: number): Ema {
  return new Ema(length);
}

class Ema extends Signal {
  readonly kind = "ema";
  readonly args: readonly number[];
  // A float from the start, so that the runtime never changes the field's representation. Minus zero, which no value
  // produces, means no level yet: with full weight on the first value, the level becomes that value exactly.
  #level = -0;
  #weight = 0.5;
  #weightNow = 0.5;

  constructor(length: number) {
    super();
    this.args = [windowOf(length, "ema")];
    this.#weight = 2 / (length + 1);
    this.#weightNow = 1;
  }

  /** Undefined before the first value. */
  get value(): number | undefined {
    return Object.is(this.#level, -0) ? undefined : this.#level;
  }

  next(value: number): number {
    this.#level += this.#weightNow * (this.fed(value) - this.#level);
    this.#weightNow = this.#weight;
    return this.#level;
  }

  save(): number[] {
    const { value } = this;
    return value === undefined ? [0, 0] : [1, value];
  }

  load(saved: readonly number[]): void {
    requireSaved(saved, 2, "ema");
    const [count, level] = saved as [number, number];
    this.#level = count === 0 ? -0 : level;
    this.#weightNow = count === 0 ? 1 : this.#weight;
  }
}
