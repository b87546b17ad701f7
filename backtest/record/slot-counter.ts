// Counts requests by class in equal spans of time.

import { InvariantViolation } from "../../src/domain/invariant.ts";
import type { Millis } from "../../src/domain/time.ts";
import type { WantClass } from "../../src/exchange/port.ts";
import { SLOT_CLASSES, type Slots } from "./run-record.ts";

const INDEX = new Map<WantClass, number>(SLOT_CLASSES.map((name, index) => [name, index]));
const WIDTH = SLOT_CLASSES.length;

export class SlotCounter {
  readonly #from: Millis;
  readonly #bucketMs: number;
  readonly #paceMs: number;
  #counts = new Uint32Array(WIDTH * 1_024);
  readonly #contested = new Uint32Array(WIDTH * WIDTH);
  #buckets = 0;

  constructor(from: Millis, { bucketMs = 60_000, paceMs }: { bucketMs?: number; paceMs: number }) {
    this.#from = from;
    this.#bucketMs = bucketMs;
    this.#paceMs = paceMs;
  }

  add(at: Millis, name: WantClass, count = 1): void {
    const bucket = Math.floor((at - this.#from) / this.#bucketMs);
    if (bucket < 0) throw new InvariantViolation(`a slot must not lie before the run, was at ${at}`);
    const cell = bucket * WIDTH + (INDEX.get(name) as number);
    if (cell >= this.#counts.length) {
      const larger = new Uint32Array(2 * (bucket + 1) * WIDTH);
      larger.set(this.#counts);
      this.#counts = larger;
    }
    this.#counts[cell] = (this.#counts[cell] as number) + count;
    this.#buckets = Math.max(this.#buckets, bucket + 1);
  }

  /** Of a slot that was added: the best of those that it did not go to. */
  contest(name: WantClass, over: WantClass): void {
    const pair = (INDEX.get(name) as number) * WIDTH + (INDEX.get(over) as number);
    this.#contested[pair] = (this.#contested[pair] as number) + 1;
  }

  finish(): Slots {
    const counts = this.#counts.slice(0, this.#buckets * WIDTH);
    const contested = this.#contested.slice();
    const span = { from: this.#from, bucketMs: this.#bucketMs, paceMs: this.#paceMs, buckets: this.#buckets };
    return { ...span, counts, contested };
  }
}
