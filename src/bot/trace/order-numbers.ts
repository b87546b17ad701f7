// Orders counted in the order in which they are first named, instead of by the names that a process draws.

import { CountedIds } from "../accounts/counted-ids.ts";

export class OrderNumbers {
  readonly #ids = new CountedIds();
  #count = 0;

  of(id: string): number {
    return this.#ids.get(id) ?? this.#added(id);
  }

  #added(id: string): number {
    this.#ids.set(id, ++this.#count);
    return this.#count;
  }
}
