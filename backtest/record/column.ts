// A column of floats that grows: 8 bytes a row, at most twice what is needed while it is filled, and none while every row is
// the same: most of what is recorded of an asset that is not traded is.

export class FloatColumn {
  /** Empty while all rows are `#last`. */
  #values = new Float64Array(0);
  #length = 0;
  #last = NaN;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    const isSame = this.#values.length === 0 && (this.#length === 0 || Object.is(value, this.#last));
    if (!isSame) this.#put(value);
    this.#length++;
    this.#last = value;
  }

  #put(value: number): void {
    const values = this.#values;
    if (this.#length >= values.length) {
      this.#values = new Float64Array(Math.max(256, 2 * this.#length));
      if (values.length === 0) this.#values.fill(this.#last, 0, this.#length);
      else this.#values.set(values);
    }
    this.#values[this.#length] = value;
  }

  /** NaN before the first row. */
  last(): number {
    return this.#last;
  }

  /** The rows so far, without a copy: what is pushed later is not in it. `constant` makes a column of one value. */
  toArray(constant: typeof constantColumn = constantColumn): Float64Array {
    const { length } = this;
    return this.#values.length === 0 ? constant(length, this.#last) : this.#values.subarray(0, length);
  }
}

function constantColumn(length: number, value: number): Float64Array {
  return new Float64Array(length).fill(value);
}

/** One array for all columns of the same value and length. */
export function sharedConstants(): typeof constantColumn {
  const made = new Map<string, Float64Array>();
  return (length, value) => {
    const key = `${length} ${Object.is(value, -0) ? "-0" : value}`;
    const column = made.get(key) ?? constantColumn(length, value);
    made.set(key, column);
    return column;
  };
}
