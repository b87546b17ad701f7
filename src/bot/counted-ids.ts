// Numbers by id. Ids end in a counter: those that count on from the first one are found by it, all others by their text. So
// the ids of a long run lie side by side, and no fresh text is looked up in a map that grows with it.

const [NOUGHT, NINE] = [48, 57];
/** Digits of a counter that a float surely holds. */
const DIGITS_MAX = 15;
/** So many counts for each id that was named, and for some more, may have gone elsewhere: beyond it a map takes less room. */
const [SPREAD, MORE] = [8, 128];
const NONE = -1;

export class CountedIds {
  readonly #others = new Map<string, number>();
  /** By how far a counter is from the first. */
  readonly #near: number[] = [];
  /** What comes before the counter. */
  #stem: string | undefined = undefined;
  #first = 0;
  #named = 0;
  /** As read last. */
  #counter = NONE;
  /** Asked for last: what is not known is mostly told next. */
  #lastId: string | undefined = undefined;
  #lastPlace = NONE;

  get(id: string): number | undefined {
    const place = this.#placeOf(id);
    const known = place < 0 || place >= this.#near.length ? NONE : (this.#near[place] as number);
    if (known !== NONE) return known;
    // It may have been named when its counter was still too far away. A map that is asked for a text enters it in a table
    // of all texts first: where there are no others it is not asked.
    return this.#others.size === 0 ? undefined : this.#others.get(id);
  }

  /** Of a whole number from 0. */
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
    const start = this.#read(id);
    if (this.#counter === NONE) return;
    this.#stem = id.slice(0, start);
    this.#first = this.#counter;
    this.#lastId = undefined;
  }

  /** How far its counter is from the first; negative when that says nothing. */
  #placeOf(id: string): number {
    if (id === this.#lastId) return this.#lastPlace;
    this.#lastId = id;
    this.#lastPlace = this.#isOfStem(id) ? this.#counter - this.#first : NONE;
    if (this.#lastPlace >= SPREAD * (this.#named + MORE)) this.#lastPlace = NONE;
    return this.#lastPlace;
  }

  #isOfStem(id: string): boolean {
    const stem = this.#stem;
    return stem !== undefined && this.#read(id) === stem.length && this.#counter !== NONE && isStem(stem, id);
  }

  /** Where its counter starts; there is none where two texts could be one: 7 is not 07. */
  #read(id: string): number {
    let start = id.length;
    let counter = 0;
    for (let worth = 1; start > 0 && id.length - start < DIGITS_MAX; worth *= 10) {
      const code = id.charCodeAt(start - 1);
      if (code < NOUGHT || code > NINE) break;
      counter += (code - NOUGHT) * worth;
      start--;
    }
    this.#counter = start === id.length || id.charCodeAt(start) === NOUGHT ? NONE : counter;
    return start;
  }
}

/** Letter by letter: of a few letters, and asked for all the time. */
function isStem(stem: string, id: string): boolean {
  for (let i = 0; i < stem.length; i++) if (stem.charCodeAt(i) !== id.charCodeAt(i)) return false;
  return true;
}
