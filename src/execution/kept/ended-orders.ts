// The last orders that have ended. The newest are kept as they are, because most of what is still heard is about them; of the
// others nearly all are kept flat, and made whole when somebody asks for one.

import { emptyList } from "../../domain/empty-list.ts";
import { FlatOrders, isOrdinary } from "./flat-orders.ts";
import { type Held, OPEN } from "./held.ts";

/** As many as the engine's accounts remember: a late fill of these can be booked. */
export const ENDED_MAX = 10_000;
/** So many are whole at least: more than a page of history has. They are made flat in blocks. */
const WHOLE_MIN = 16;
const BLOCK = 16;

export class EndedOrders {
  readonly flat = new FlatOrders();
  private readonly whole = emptyList<Held | undefined>();
  /** So many of the last are kept. */
  readonly most: number;
  /** How many have ended so far, and how many of them were looked at for being made flat. */
  private count = 0;
  private looked = 0;
  /** Places of those that were made whole again. */
  private revived: number[] = [];

  constructor(most = ENDED_MAX) {
    this.most = most;
  }

  /** Where the next one goes, and the oldest has to go from. */
  get next(): number {
    return this.count % this.most;
  }

  /** How many have ended so far. */
  get total(): number {
    return this.count;
  }

  /** How far it has come, for another one that goes on from there and knows none of these. */
  get progress(): readonly [count: number, looked: number] {
    return [this.count, this.looked];
  }

  goOn([count, looked]: EndedOrders["progress"]): void {
    this.count = count;
    this.looked = looked;
  }

  /** By their places; nothing is there where the last one came back to life. */
  *all(): Iterable<Held | undefined> {
    for (let place = 0; place < Math.min(this.count, this.most); place++)
      yield this.whole[place] ?? (this.flat.seriesAt(place) === undefined ? undefined : this.flat.at(place));
  }

  /** Those of the last few that are whole. */
  newest(): Iterable<Held> {
    return this.wholeFrom(this.count - WHOLE_MIN);
  }

  /** All that are whole, the latest last: also whatever has not ended in an ordinary way. */
  unflattened(): Iterable<Held> {
    return this.wholeFrom(this.count - this.most);
  }

  private *wholeFrom(first: number): Iterable<Held> {
    for (let n = Math.max(0, first); n < this.count; n++) {
      const held = this.whole[n % this.most];
      if (held !== undefined && (held.traits & OPEN) === 0) yield held;
    }
  }

  wholeAt(place: number): Held | undefined {
    return this.whole[place];
  }

  /** It may have ended before, and come back to life: its next place is its only one. */
  leave(held: Held): void {
    if (held.ended !== undefined && this.whole[held.ended] === held) this.whole[held.ended] = undefined;
  }

  /** What is at the next place is forgotten already. */
  put(held: Held): void {
    const place = this.next;
    held.ended = place;
    this.whole[place] = held;
    this.flat.clear(place);
    this.count++;
  }

  /** Whoever was asked for, as an object again, which now stands for it. */
  revive(place: number): Held {
    const held = this.flat.at(place);
    held.ended = place;
    held.series?.keep(held.count, held);
    this.whole[place] = held;
    this.flat.clear(place);
    this.revived.push(place);
    return held;
  }

  /** To be called only while nobody has one of them in hand: what is done to an object that was made flat is lost. */
  flatten(): void {
    if (this.count - this.looked < WHOLE_MIN + BLOCK) return;
    const until = this.count - WHOLE_MIN;
    for (; this.looked < until; this.looked++) this.flattenAt(this.looked % this.most);
    if (this.revived.length === 0) return;
    for (const place of this.revived) this.flattenAt(place);
    this.revived = [];
  }

  private flattenAt(place: number): void {
    const held = this.whole[place];
    // Meanwhile it may have come back to life: it will end again.
    if (held === undefined || (held.traits & OPEN) !== 0 || !isOrdinary(held)) return;
    this.flat.put(place, held);
    held.series?.keep(held.count, place);
    this.whole[place] = undefined;
  }
}
