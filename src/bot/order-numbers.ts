// Orders counted in the order in which they are first named, instead of by the names that a process draws.

import { CountedIds } from "./counted-ids.ts";

export class OrderNumbers {
  readonly #ids = new CountedIds();
  #count = 0;
  /** Named last: a line is mostly about the order of the line before. */
  #lastId: string | undefined = undefined;
  #last = 0;

  of(id: string): number {
    if (id === this.#lastId) return this.#last;
    this.#lastId = id;
    this.#last = this.#ids.get(id) ?? this.#added(id);
    return this.#last;
  }

  #added(id: string): number {
    this.#ids.set(id, ++this.#count);
    return this.#count;
  }
}
