// Orders that ended without a fill, so that a late fill of one is recognised; the oldest are let go.

import type { ClientOrderId } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";

const ENDED_MAX = 10_000;

export class EndedOrders {
  /** Oldest first. */
  readonly #orders = new Map<ClientOrderId, OrderIntent>();

  /** Oldest first. */
  constructor(orders: readonly OrderIntent[] = []) {
    for (const order of orders) this.add(order);
  }

  add(order: OrderIntent): void {
    this.#orders.set(order.clientOrderId, order);
    if (this.#orders.size > ENDED_MAX) this.#orders.delete(this.#orders.keys().next().value as ClientOrderId);
  }

  get(id: ClientOrderId): OrderIntent | undefined {
    return this.#orders.get(id);
  }

  /** It has filled after all. */
  delete(id: ClientOrderId): void {
    this.#orders.delete(id);
  }

  /** Oldest first. */
  values(): OrderIntent[] {
    return [...this.#orders.values()];
  }
}
