// Orders that ended without a fill, so that a late fill of one is recognised; the oldest are let go. A ring that is looked
// through from its newest: one enters with every other order, and hardly ever is one asked for.

import type { ClientOrderId } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";

const ENDED_MAX = 10_000;

export class EndedOrders {
  readonly #ring: (OrderIntent | undefined)[];
  /** Where the next one goes. */
  #next: number;

  /** Oldest first. */
  constructor(orders: readonly OrderIntent[] = []) {
    this.#ring = orders.slice(-ENDED_MAX);
    this.#next = this.#ring.length % ENDED_MAX;
  }

  add(order: OrderIntent): void {
    this.#ring[this.#next] = order;
    this.#next = (this.#next + 1) % ENDED_MAX;
  }

  get(id: ClientOrderId): OrderIntent | undefined {
    return this.#ring[this.#find(id)];
  }

  /** It has filled after all. */
  delete(id: ClientOrderId): void {
    const at = this.#find(id);
    if (at < this.#ring.length) this.#ring[at] = undefined;
  }

  /** Oldest first. */
  values(): OrderIntent[] {
    const { length } = this.#ring;
    return Array.from({ length }, (_, i) => this.#ring[(this.#next + i) % length]).filter(
      (order) => order !== undefined,
    );
  }

  /** Past the end when there is none. */
  #find(id: ClientOrderId): number {
    const { length } = this.#ring;
    for (let back = 1; back <= length; back++) {
      const at = (this.#next - back + length) % length;
      if (this.#ring[at]?.clientOrderId === id) return at;
    }
    return length;
  }
}
