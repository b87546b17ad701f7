// The last values of a signal, oldest first, in a ring of fixed size.

import { requireSaved } from "./signal.ts";

export class Window {
  size = 0;
  /** Zero where there is no value yet. */
  private readonly ring: Float64Array;
  /** Cached: reading the ring's length costs ten instructions. */
  private readonly length: number;
  private place = 0;

  constructor(length: number) {
    this.ring = new Float64Array(length);
    this.length = length;
  }

  get isFull(): boolean {
    return this.size === this.length;
  }

  /** The ring is about to wrap around: the moment to recompute running sums. */
  get isAtStart(): boolean {
    return this.place === 0;
  }

  /** The value that the next push replaces once the window is full; until then the first one. */
  get oldest(): number {
    return this.ring[this.isFull ? this.place : 0] as number;
  }

  /** Returns the replaced value; zero until the window is full. */
  push(value: number): number {
    const { ring, place, length } = this;
    const replaced = ring[place] as number;
    ring[place] = value;
    this.place = place + 1 < length ? place + 1 : 0;
    if (this.size < length) this.size++;
    return replaced;
  }

  /** By memory position and not by age, for sums over all. */
  at(index: number): number {
    return this.ring[index] as number;
  }

  /**
   * Appended to the signal's other numbers. One list of the final length, filled by index: a spread costs five times as
   * much.
   */
  save(...before: readonly number[]): number[] {
    const { ring, length } = this;
    const start = before.length + 2;
    const saved = new Array<number>(start + length);
    for (let i = 0; i < before.length; i++) saved[i] = before[i] as number;
    saved[start - 2] = this.size;
    saved[start - 1] = this.place;
    for (let i = 0; i < length; i++) saved[start + i] = ring[i] as number;
    return saved;
  }

  load(saved: readonly number[], kind: string): void {
    requireSaved(saved, this.ring.length + 2, kind);
    const [size, next] = saved as [number, number];
    if (!isIndex(size, this.ring.length + 1) || !isIndex(next, this.ring.length))
      throw new RangeError(`saved ${kind} must lie within its window, was ${size} at ${next}`);
    this.size = size;
    this.place = next;
    this.ring.set(saved.slice(2));
    this.ring.fill(0, size);
  }
}

function isIndex(value: number, end: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value < end;
}
