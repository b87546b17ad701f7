// A bounded memory by id: the oldest ids are dropped.

const KEPT_MAX = 10_000;

export class Memory<T> {
  readonly #kept = new Map<string, T>();

  get(id: string): T | undefined {
    return this.#kept.get(id);
  }

  set(id: string, what: T): void {
    this.#kept.delete(id);
    this.#kept.set(id, what);
    const [oldest] = this.#kept.size > KEPT_MAX ? this.#kept.keys() : [];
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}
