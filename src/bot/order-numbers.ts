// Orders counted in the order in which they are first named, instead of by the names that a process draws. Ids end in a
// counter: those that count on from the first one are found by it, all others by their text.

const [NOUGHT, NINE] = [48, 57];
/** Digits of a counter that a float surely holds. */
const DIGITS_MAX = 15;
/** How many counts may have gone elsewhere in between. */
const GAP_MAX = 1_024;

export class OrderNumbers {
  readonly #others = new Map<string, number>();
  /** By how far a counter is from the first; 0 is not named yet. */
  readonly #near: number[] = [];
  /** What comes before the counter. */
  #stem: string | undefined = undefined;
  #first = 0;
  #count = 0;
  /** Named last: a line is mostly about the order of the line before. */
  #lastId: string | undefined = undefined;
  #last = 0;

  of(id: string): number {
    if (id === this.#lastId) return this.#last;
    const place = this.#placeOf(id);
    const number = place < 0 ? this.#other(id) : this.#at(place, id);
    this.#lastId = id;
    this.#last = number;
    return number;
  }

  #at(place: number, id: string): number {
    const near = this.#near;
    while (near.length <= place) near.push(0);
    const known = near[place] as number;
    if (known > 0) return known;
    // It may have been named when its counter was still too far away. A map that is asked for a text enters it in a table
    // of all texts first, which costs more than the line: where there are no others it is not asked.
    const other = this.#others.size === 0 ? undefined : this.#others.get(id);
    const number = other ?? ++this.#count;
    near[place] = number;
    return number;
  }

  #other(id: string): number {
    const known = this.#others.get(id);
    if (known !== undefined) return known;
    this.#others.set(id, ++this.#count);
    return this.#count;
  }

  /** How far its counter is from the first; -1 when that says nothing. */
  #placeOf(id: string): number {
    let start = id.length;
    let counter = 0;
    for (let worth = 1; start > 0 && id.length - start < DIGITS_MAX; worth *= 10) {
      const code = id.charCodeAt(start - 1);
      if (code < NOUGHT || code > NINE) break;
      counter += (code - NOUGHT) * worth;
      start--;
    }
    // Two texts must not be one counter: 7 is not 07.
    if (start === id.length || id.charCodeAt(start) === NOUGHT) return -1;
    if (this.#stem === undefined) {
      this.#stem = id.slice(0, start);
      this.#first = counter;
    }
    const place = counter - this.#first;
    if (start !== this.#stem.length || !isStem(this.#stem, id)) return -1;
    return place >= 0 && place <= this.#near.length + GAP_MAX ? place : -1;
  }
}

/** Letter by letter: asked for with every line, of a few letters. */
function isStem(stem: string, id: string): boolean {
  for (let i = 0; i < stem.length; i++) if (stem.charCodeAt(i) !== id.charCodeAt(i)) return false;
  return true;
}
