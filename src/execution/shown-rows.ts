// Rows of history that are known to agree with our own. A venue in process gives the same objects again and again, with a
// few more at one end: those that were looked at in the last answer are not looked at in this one.

export class ShownRows<R> {
  #rows: readonly R[] = [];
  #agreed: boolean[] = [];
  #next: readonly R[] = [];
  #nextAgreed: boolean[] = [];
  #shift = 0;

  /** Another answer. */
  open(rows: readonly R[]): void {
    this.#rows = this.#next;
    this.#agreed = this.#nextAgreed;
    this.#next = rows;
    this.#nextAgreed = [];
    const more = rows.indexOf(this.#rows[0] as R);
    this.#shift = more >= 0 ? -more : Math.max(0, this.#rows.indexOf(rows[0] as R));
  }

  /** Whether the next row of the answer was known to agree the last time; one after the other. */
  wasAgreed(index: number): boolean {
    const place = index + this.#shift;
    const isListed = place >= 0 && place < this.#rows.length;
    const isAgreed = isListed && this.#rows[place] === this.#next[index] && (this.#agreed[place] as boolean);
    this.#nextAgreed.push(isAgreed);
    return isAgreed;
  }

  agree(index: number): void {
    this.#nextAgreed[index] = true;
  }
}
