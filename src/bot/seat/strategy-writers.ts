// Whose an order was, without a word of it in the order's own record: its id names the process that made it, and a process whose
// strategy remembers anything records that together with each of its orders. One that never did was a person's command, or had
// nothing to remember.

import { instanceOf } from "../../domain/client-order-id.ts";

/** As plain data, the oldest first. */
export type SavedWriters = readonly (readonly [writer: string, strategies: readonly string[]])[];

/** Processes that are remembered: each start of a bot is one. */
const WRITERS_MAX = 1_000;

export class StrategyWriters {
  readonly #strategies = new Map<string, readonly string[]>();

  add(writer: string, strategy: string): void {
    const known = this.#strategies.get(writer) ?? [];
    if (known.includes(strategy)) return;
    this.#strategies.set(writer, [...known, strategy]);
    if (this.#strategies.size > WRITERS_MAX) this.#strategies.delete(this.#strategies.keys().next().value as string);
  }

  /** Where nobody can tell it may be anybody's. An order of a plan counts as one of the strategy beside it. */
  mayBeOf(order: string, strategy: string): boolean {
    const instance = instanceOf(order);
    const strategies = instance === undefined ? undefined : this.#strategies.get(instance);
    if (strategies !== undefined) return strategies.includes(strategy);
    return instance === undefined || this.#strategies.size >= WRITERS_MAX;
  }

  save(): SavedWriters {
    return [...this.#strategies];
  }

  load(saved: SavedWriters): void {
    this.#strategies.clear();
    for (const [writer, strategies] of saved) this.#strategies.set(writer, strategies);
  }
}
