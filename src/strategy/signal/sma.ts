// Simple moving average over the last `length` values, or over all until there are that many.

import { Signal, windowOf } from "./signal.ts";
import { Window } from "./window.ts";

export function sma(length: number): Sma {
  return new Sma(length);
}

class Sma extends Signal {
  readonly kind = "sma";
  readonly args: readonly number[];
  private readonly window: Window;
  private sum = 0.5;

  constructor(length: number) {
    super();
    this.args = [windowOf(length, "sma")];
    this.window = new Window(length);
    this.sum = 0;
  }

  /** Undefined before the first value. */
  get value(): number | undefined {
    return this.window.size === 0 ? undefined : this.sum / this.window.size;
  }

  next(value: number): number {
    const { window } = this;
    this.sum += this.fed(value) - window.push(value);
    // The sum is recomputed once per round, so that rounding does not accumulate over millions of values.
    if (window.isAtStart) this.sum = sumOf(window);
    return this.sum / window.size;
  }

  save(): number[] {
    return this.window.save(this.sum);
  }

  load([sum = Number.NaN, ...window]: readonly number[]): void {
    this.window.load(window, "sma");
    this.sum = this.loaded(sum);
  }
}

function sumOf(window: Window): number {
  let sum = 0;
  for (let i = 0; i < window.size; i++) sum += window.at(i);
  return sum;
}
