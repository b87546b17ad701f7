// Orders that ended without a fill, so that a late fill of one is recognised; the oldest are let go.

import type { ClientOrderId } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";

const ENDED_MAX = 1_000;

export class EndedOrders {
  readonly #orders = new Map<ClientOrderId, OrderIntent>();
  /** A ring of their ids: to ask a map for its oldest key takes longer the more were deleted before it. */
  readonly #ring: ClientOrderId[] = [];
  #next = 0;

  /** Oldest first. */
  constructor(orders: readonly OrderIntent[] = []) {
    for (const order of orders) this.add(order);
  }

  add(order: OrderIntent): void {
    const oldest = this.#ring[this.#next];
    if (oldest !== undefined) this.#orders.delete(oldest);
    this.#ring[this.#next] = order.clientOrderId;
    this.#next = (this.#next + 1) % ENDED_MAX;
    this.#orders.set(order.clientOrderId, order);
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
