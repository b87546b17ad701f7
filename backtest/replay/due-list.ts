// What is to happen when, in virtual time: earliest first, and in the order of arrangement where two are due together. There
// are only ever a handful, so a sorted row is the fastest heap.

export type Due = { readonly at: number; readonly run: () => void };

export class DueList {
  readonly #row: Due[] = [];

  /** When the next thing is due; infinite when there is none. */
  get nextAt(): number {
    return this.#row[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  add(at: number, run: () => void): Due {
    const due = { at, run };
    const row = this.#row;
    let place = row.length;
    row.push(due);
    for (; place > 0 && (row[place - 1] as Due).at > at; place--) row[place] = row[place - 1] as Due;
    row[place] = due;
    return due;
  }

  remove(due: Due): void {
    const place = this.#row.indexOf(due);
    if (place >= 0) this.#row.splice(place, 1);
  }

  take(): Due | undefined {
    return this.#row.shift();
  }
}
