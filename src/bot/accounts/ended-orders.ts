// Orders that ended without a fill, so that a late fill of one is recognised; the oldest are let go. A ring that is looked
// through from its newest: one enters with every other order, and hardly ever is one asked for.

import { IntentSlots } from "../../domain/intent-slots.ts";
import type { ClientOrderId } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";

const ENDED_MAX = 10_000;

export class EndedOrders {
  readonly #ring = new IntentSlots();
  /** How many places are taken, and where the next one goes. */
  #length = 0;
  #next = 0;

  /** Oldest first. */
  constructor(orders: readonly OrderIntent[] = []) {
    for (const order of orders.slice(-ENDED_MAX)) this.add(order);
  }

  add(order: OrderIntent): void {
    this.#ring.put(this.#next, order);
    if (this.#length < ENDED_MAX) this.#length++;
    this.#next = (this.#next + 1) % ENDED_MAX;
  }

  get(id: ClientOrderId): OrderIntent | undefined {
    const place = this.#find(id);
    return place === undefined ? undefined : this.#ring.at(place);
  }

  /** It has filled after all. */
  delete(id: ClientOrderId): void {
    const place = this.#find(id);
    if (place !== undefined) this.#ring.clear(place);
  }

  /** Oldest first. */
  values(): OrderIntent[] {
    const length = this.#length;
    return Array.from({ length }, (_, i) => this.#ring.at((this.#next + i) % length)).filter(
      (order) => order !== undefined,
    );
  }

  #find(id: ClientOrderId): number | undefined {
    const length = this.#length;
    for (let back = 1; back <= length; back++) {
      const place = (this.#next - back + length) % length;
      if (this.#ring.idAt(place) === id) return place;
    }
    return undefined;
  }
}
