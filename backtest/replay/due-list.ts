// What is to happen when, in virtual time: earliest first, and in the order of arrangement where two are due together. There
// are only ever a handful, so a sorted row is the fastest heap.

export type Due = { readonly at: number; readonly run: () => void };

export class DueList {
  /** The latest first: what is due next is taken from the end. */
  readonly #row: Due[] = [];
  /** When the next thing is due; infinite when there is none. */
  nextAt = Number.POSITIVE_INFINITY;

  add(at: number, run: () => void): Due {
    const due = { at, run };
    const row = this.#row;
    let place = row.length;
    row.push(due);
    for (; place > 0 && (row[place - 1] as Due).at <= at; place--) row[place] = row[place - 1] as Due;
    row[place] = due;
    this.#look();
    return due;
  }

  remove(due: Due): void {
    const row = this.#row;
    const place = row.indexOf(due);
    if (place < 0) return;
    for (let i = place + 1; i < row.length; i++) row[i - 1] = row[i] as Due;
    row.pop();
    this.#look();
  }

  take(): Due | undefined {
    const due = this.#row.pop();
    this.#look();
    return due;
  }

  #look(): void {
    const { length } = this.#row;
    this.nextAt = length === 0 ? Number.POSITIVE_INFINITY : (this.#row[length - 1] as Due).at;
  }
}
