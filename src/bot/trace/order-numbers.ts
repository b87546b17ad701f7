// Orders counted in the order in which they are first named, instead of by the names that a process draws.

export class OrderNumbers {
  readonly #numbers = new Map<string, number>();

  of(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    this.#numbers.set(id, this.#numbers.size + 1);
    return this.#numbers.size;
  }
}
