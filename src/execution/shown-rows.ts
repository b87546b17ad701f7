// Rows of history that are known to agree with our own. A venue in process gives the same objects again and again, with a
// few more at one end: those that were looked at in the last answer are not looked at in this one. Rows of a distant one are
// other objects each time, and are all looked at.

export class ShownRows<R> {
  #rows: readonly R[] = [];
  /** So many of them were there: a list that grows in place shows the rest for the first time. */
  #count = 0;
  /** Of these, those that are not known to agree: few, and mostly none. */
  #open: R[] = [];
  #next: readonly R[] = [];
  /** So many have been dealt with: if that ends in an error, the others count as never shown. */
  #nextCount = 0;
  #nextOpen: R[] = [];
  #shift = 0;

  /** Another answer; go on with `from`. */
  begin(rows: readonly R[]): void {
    this.#rows = this.#next;
    this.#count = this.#nextCount;
    const free = this.#open;
    this.#open = this.#nextOpen;
    this.#next = rows;
    this.#nextCount = 0;
    this.#nextOpen = free.length === 0 ? free : [];
    this.#shift = shiftOf(this.#rows, rows);
  }

  /** The first place from there on whose row is to be looked at; the number of rows when none is left. */
  from(index: number): number {
    this.#nextCount = this.#firstFrom(index);
    return this.#nextCount;
  }

  #firstFrom(index: number): number {
    const rows = this.#rows;
    const count = this.#count;
    const next = this.#next;
    const open = this.#open;
    const end = next.length;
    for (let i = index, place = index + this.#shift; i < end; i++, place++) {
      const row = next[i] as R;
      if (place < 0 || place >= count || rows[place] !== row) return i;
      if (open.length > 0 && open.includes(row)) return i;
    }
    return end;
  }

  /** The row is to be looked at again when it is shown again; unless it is found to agree after all. */
  differs(row: R): void {
    this.#nextOpen.push(row);
  }

  agrees(row: R): void {
    const open = this.#nextOpen;
    if (open[open.length - 1] === row) open.pop();
    else this.#nextOpen = open.filter((one) => one !== row);
  }
}

/** How much further the same row stands in the list of before. Mostly nothing was added, or one, at either end. */
function shiftOf<R>(before: readonly R[], now: readonly R[]): number {
  const first = now[0];
  if (before[0] === first) return 0;
  if (before[1] === first) return 1;
  const more = now.indexOf(before[0] as R);
  return more >= 0 ? -more : Math.max(0, before.indexOf(first as R));
}
