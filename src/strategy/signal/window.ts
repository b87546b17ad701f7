// The last values of a signal, oldest first, in one ring that is never grown.

import { requireSaved } from "./signal.ts";

export class Window {
  readonly #ring: Float64Array;
  #size = 0;
  #next = 0;

  constructor(length: number) {
    this.#ring = new Float64Array(length);
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size === this.#ring.length;
  }

  /** The ring is about to be written from its beginning: the moment to sum afresh what was summed as it went. */
  get isAtStart(): boolean {
    return this.#next === 0;
  }

  /** The value that the next push replaces, once the window is full; the oldest until then. */
  get oldest(): number {
    return this.#ring[this.isFull ? this.#next : 0] as number;
  }

  push(value: number): void {
    this.#ring[this.#next] = value;
    this.#next = this.#next + 1 === this.#ring.length ? 0 : this.#next + 1;
    if (this.#size < this.#ring.length) this.#size++;
  }

  /** By place in memory, not by age: for sums over all. */
  at(index: number): number {
    return this.#ring[index] as number;
  }

  /** After what a signal keeps beside it. One list of the right length, filled by place: a spread costs five times as much. */
  save(...before: readonly number[]): number[] {
    const ring = this.#ring;
    const start = before.length + 2;
    const saved = new Array<number>(start + ring.length);
    for (let i = 0; i < before.length; i++) saved[i] = before[i] as number;
    saved[start - 2] = this.#size;
    saved[start - 1] = this.#next;
    for (let i = 0; i < ring.length; i++) saved[start + i] = ring[i] as number;
    return saved;
  }

  load(saved: readonly number[], kind: string): void {
    requireSaved(saved, this.#ring.length + 2, kind);
    const [size, next] = saved as [number, number];
    if (!isIndex(size, this.#ring.length + 1) || !isIndex(next, this.#ring.length))
      throw new RangeError(`saved ${kind} must lie within its window, was ${size} at ${next}`);
    this.#size = size;
    this.#next = next;
    this.#ring.set(saved.slice(2));
  }
}

function isIndex(value: number, end: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value < end;
}
