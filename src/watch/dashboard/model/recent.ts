// The newest so many of something, oldest first, with a count of all there were: whoever saw the first n asks for the rest.

export class Recent<T> {
  readonly #most: number;
  #kept: T[] = [];
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  add(one: T): void {
    this.#count++;
    this.#kept.push(one);
    // Twice the room before it is cut: so adding stays cheap.
    if (this.#kept.length > 2 * this.#most) this.#kept = this.#kept.slice(-this.#most);
  }

  list(): readonly T[] {
    return this.#kept.slice(-this.#most);
  }

  /** Those after the first `seen`, as far as they are kept. */
  since(seen: number): readonly T[] {
    const fresh = Math.min(this.#count - seen, this.#most, this.#kept.length);
    return fresh <= 0 ? [] : this.#kept.slice(-fresh);
  }
}
