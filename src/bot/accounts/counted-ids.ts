// Numbers by id. Ids end in a counter: those that count on from the first one are found by it, all others by their text. So
// the ids of a long run lie side by side, and no fresh text is looked up in a map that grows with it.

import { stemMade } from "../../domain/ids.ts";

/** Of as many digits as a float surely holds, and written in one way only: 7 is not 07. */
const COUNTER = /[1-9][0-9]{0,14}$/;
const DIGITS_MAX = 15;
const NOUGHT = 48;
/** So many counts for each id that was named, and for some more, may have gone elsewhere: beyond it a map takes less room. */
const [SPREAD, MORE] = [8, 128];
const NONE = -1;
/** Less than any. */
const NEVER = Number.NEGATIVE_INFINITY;

export class CountedIds {
  readonly #others = new Map<string, number>();
  /** By how far a counter is from the first. */
  readonly #near: number[] = [];
  /** What comes before the counter. */
  #stem: string | undefined = undefined;
  #first = 0;
  #named = 0;
  /** Asked for last: what is not known is mostly told next. */
  #lastId: string | undefined = undefined;
  #lastPlace = NONE;
  /** The counter of the last id that had one. */
  #lastCount = 0;

  get(id: string): number | undefined {
    const place = this.#placeOf(id);
    const known = place < 0 || place >= this.#near.length ? NONE : (this.#near[place] as number);
    if (known !== NONE) return known;
    // It may have been named when its counter was still too far away. A map that is asked for a text enters it in a table
    // of all texts first: where there are no others it is not asked.
    return this.#others.size === 0 ? undefined : this.#others.get(id);
  }

  /** `number`: a whole number from 0. */
  set(id: string, number: number): void {
    if (this.#stem === undefined) this.#begin(id);
    const place = this.#placeOf(id);
    if (place < 0) {
      this.#others.set(id, number);
      return;
    }
    while (this.#near.length <= place) this.#near.push(NONE);
    this.#near[place] = number;
    this.#named++;
  }

  #begin(id: string): void {
    const counter = COUNTER.exec(id);
    if (counter === null) return;
    this.#first = Number(counter[0]);
    this.#stem = stemMade(id, this.#first) ?? id.slice(0, counter.index);
    this.#lastId = undefined;
  }

  /** How far its counter is from the first; negative when that says nothing. */
  #placeOf(id: string): number {
    if (id === this.#lastId) return this.#lastPlace;
    const count = this.#stem === undefined ? NEVER : this.#countOf(id, this.#stem);
    if (count !== NEVER) this.#lastCount = count;
    const place = count - this.#first;
    this.#lastId = id;
    this.#lastPlace = place < SPREAD * (this.#named + MORE) ? place : NONE;
    return this.#lastPlace;
  }

  /** Never where it begins otherwise, or is no counter. */
  #countOf(id: string, stem: string): number {
    const next = this.#lastCount + 1;
    // Mostly the one that was made after the one before.
    if (stemMade(id, next) === stem) return next;
    const count = counterOf(id, stem.length);
    if (count === NEVER) return NEVER;
    return stem === "" || stemMade(id, count) === stem || id.startsWith(stem) ? count : NEVER;
  }
}

/** What the text from there on counts; minus infinity where it is no counter. */
function counterOf(id: string, start: number): number {
  let counter = 0;
  for (let i = start; i < id.length; i++) {
    const digit = id.charCodeAt(i) - NOUGHT;
    if (digit < 0 || digit > 9 || (counter === 0 && digit === 0)) return NEVER;
    counter = 10 * counter + digit;
  }
  return counter > 0 && id.length - start <= DIGITS_MAX ? counter : NEVER;
}
