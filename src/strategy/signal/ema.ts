// Exponential moving average: each value weighs 2 / (length + 1), the first one is the average.

import { fed, requireSaved, Signal, windowOf } from "./signal.ts";

export function ema(length: number): Ema {
  return new Ema(length);
}

class Ema extends Signal {
  readonly kind = "ema";
  readonly args: readonly number[];
  #count = 0;
  // A float from the start, so that the runtime never has to change its mind about the field.
  #level = 0.5;
  readonly #weight: number;

  constructor(length: number) {
    super();
    this.args = [windowOf(length, "ema")];
    this.#weight = 2 / (length + 1);
  }

  /** Undefined before the first value. */
  get value(): number | undefined {
    return this.#count === 0 ? undefined : this.#level;
  }

  next(value: number): number {
    fed(value, "ema");
    if (this.#count === 0) {
      this.#count = 1;
      this.#level = value;
    } else this.#level += this.#weight * (value - this.#level);
    return this.#level;
  }

  save(): number[] {
    return [this.#count, this.#level];
  }

  load(saved: readonly number[]): void {
    requireSaved(saved, 2, "ema");
    [this.#count, this.#level] = saved as [number, number];
  }
}
