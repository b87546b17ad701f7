// Orders that were approved and are not known to have ended. Each counts both ways: as if it filled for what may be spent,
// as if it did not for what may be sold.

import type { Asset } from "../../domain/asset.ts";
import { emptyList } from "../../domain/empty-list.ts";
import { Money } from "../../domain/money/money.ts";
import type { ClientOrderId } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";
import { type Tied, tiedBy } from "../../domain/tied.ts";

export type OpenOrder = Tied & { readonly intent: OrderIntent };

export class OpenOrders {
  /** A list, oldest first: few are open at a time, and a map that they enter and leave is made anew every few orders. */
  readonly #orders = emptyList<OpenOrder>();

  get size(): number {
    return this.#orders.length;
  }

  /** It changes with the orders. */
  get list(): readonly OpenOrder[] {
    return this.#orders;
  }

  values(): IterableIterator<OpenOrder> {
    return this.#orders.values();
  }

  get(id: ClientOrderId): OpenOrder | undefined {
    return this.#orders[this.#find(id)];
  }

  add(order: OpenOrder): void {
    this.#orders.push(order);
  }

  remove(id: ClientOrderId): OpenOrder | undefined {
    const at = this.#find(id);
    const order = this.#orders[at];
    if (order === undefined) return undefined;
    if (at === this.#orders.length - 1) this.#orders.pop();
    else this.#orders.splice(at, 1);
    return order;
  }

  leaving(asset: Asset): Money {
    let sum: Money | undefined;
    for (const { leaves } of this.#orders) if (leaves.asset === asset) sum = sum?.plus(leaves) ?? leaves;
    return sum ?? Money.zero(asset);
  }

  coming(asset: Asset): Money {
    let sum: Money | undefined;
    for (const { comes } of this.#orders) if (comes.asset === asset) sum = sum?.plus(comes) ?? comes;
    return sum ?? Money.zero(asset);
  }

  /** As many as there are when it is not open, and so never below zero: an array is asked for that by name. */
  #find(id: ClientOrderId): number {
    let at = 0;
    while (at < this.#orders.length && this.#orders[at]?.intent.clientOrderId !== id) at++;
    return at;
  }
}

export function openOrder(intent: OrderIntent, feeBpsMax: number): OpenOrder {
  const { leaves, comes } = tiedBy(intent, feeBpsMax);
  return { intent, leaves, comes };
}
