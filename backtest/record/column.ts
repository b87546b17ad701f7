// A column of floats that grows: 8 bytes a row, at most twice what is needed while it is filled.

export class FloatColumn {
  #values = new Float64Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** NaN before the first row. */
  last(): number {
    return this.#values[this.#length - 1] ?? NaN;
  }

  toArray(): Float64Array {
    return this.#values.slice(0, this.#length);
  }
}
