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
    let place = this.#row.length;
    while (place > 0 && (this.#row[place - 1] as Due).at > at) place--;
    this.#row.splice(place, 0, due);
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
