// Approved orders without a known end. Each counts both ways: as filled for the amount that may be spent, as not filled
// for the amount that may be sold.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { ClientOrderId } from "../../domain/order.ts";
import { type Reserved, reservedBy } from "../../domain/reservation.ts";
import type { OrderIntent } from "../../domain/step.ts";

export type OpenOrder = Reserved & { readonly intent: OrderIntent };

export class OpenOrders {
  /** Oldest first. A list, because there are few and a map would rehash every few orders. */
  readonly #orders: OpenOrder[] = [];

  get size(): number {
    return this.#orders.length;
  }

  values(): IterableIterator<OpenOrder> {
    return this.#orders.values();
  }

  get(id: ClientOrderId): OpenOrder | undefined {
    return this.#orders.find(({ intent }) => intent.clientOrderId === id);
  }

  add(order: OpenOrder): void {
    this.#orders.push(order);
  }

  remove(id: ClientOrderId): OpenOrder | undefined {
    const place = this.#orders.findIndex(({ intent }) => intent.clientOrderId === id);
    return place === -1 ? undefined : this.#orders.splice(place, 1)[0];
  }

  leaving(asset: Asset): Money {
    return this.#sum(asset, ({ leaves }) => leaves);
  }

  coming(asset: Asset): Money {
    return this.#sum(asset, ({ comes }) => comes);
  }

  #sum(asset: Asset, amountOf: (order: OpenOrder) => Money): Money {
    let sum = Money.zero(asset);
    for (const order of this.#orders) {
      const amount = amountOf(order);
      if (amount.asset === asset) sum = sum.plus(amount);
    }
    return sum;
  }
}

export function openOrder(intent: OrderIntent, feeBpsMax: number): OpenOrder {
  const { leaves, comes } = reservedBy(intent, feeBpsMax);
  return { intent, leaves, comes };
}
