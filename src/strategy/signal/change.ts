// The change over `length` values; since the first value until there are that many.

import { Signal, windowOf } from "./signal.ts";
import { Window } from "./window.ts";

export function change(length: number): Change {
  return new Change(length);
}

class Change extends Signal {
  readonly kind = "change";
  readonly args: readonly number[];
  readonly #window: Window;

  constructor(length: number) {
    super();
    this.args = [windowOf(length, "change")];
    this.#window = new Window(length);
  }

  next(value: number): number {
    const then = this.#window.size === 0 ? this.fed(value) : this.#window.oldest;
    this.#window.push(this.fed(value));
    return value - then;
  }

  save(): number[] {
    return this.#window.save();
  }

  load(saved: readonly number[]): void {
    this.#window.load(saved, "change");
  }
}
