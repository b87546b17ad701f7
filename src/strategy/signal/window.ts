// The last values of a signal, oldest first, in one ring that is never grown.

import { requireSaved } from "./signal.ts";

export class Window {
  /** How many values there are. */
  size = 0;
  /** Zeros where there is none yet. */
  private readonly ring: Float64Array;
  /** Of the ring, which takes ten instructions to say it. */
  private readonly length: number;
  private place = 0;

  constructor(length: number) {
    this.ring = new Float64Array(length);
    this.length = length;
  }

  get isFull(): boolean {
    return this.size === this.length;
  }

  /** The ring is about to be written from its beginning: the moment to sum afresh what was summed as it went. */
  get isAtStart(): boolean {
    return this.place === 0;
  }

  /** The value that the next push replaces, once the window is full; the first one until then. */
  get oldest(): number {
    return this.ring[this.isFull ? this.place : 0] as number;
  }

  /** Gives the value that it replaces; zero until the window is full. */
  push(value: number): number {
    const { ring, place, length } = this;
    const replaced = ring[place] as number;
    ring[place] = value;
    this.place = place + 1 < length ? place + 1 : 0;
    if (this.size < length) this.size++;
    return replaced;
  }

  /** By place in memory, not by age: for sums over all. */
  at(index: number): number {
    return this.ring[index] as number;
  }

  /** After what a signal keeps beside it. One list of the right length, filled by place: a spread costs five times as much. */
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
