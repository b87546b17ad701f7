// Orders that were approved and are not known to have ended. Each counts both ways: as if it filled for what may be spent,
// as if it did not for what may be sold. The sums are exact, so that they are zero again when no order is open.

import type { Asset } from "../../domain/asset.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { Money } from "../../domain/money/money.ts";
import type { ClientOrderId } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";

export type OpenOrder = {
  readonly intent: OrderIntent;
  readonly priceDecimals: number;
  /** What leaves if it fills: at its limit, with the fee budget. */
  readonly leaves: Money;
  /** What comes if it fills, at its limit. */
  readonly comes: Money;
};

export class OpenOrders {
  readonly #orders = new Map<ClientOrderId, OpenOrder>();
  readonly #leaving = new Map<Asset, Money>();
  readonly #coming = new Map<Asset, Money>();

  get size(): number {
    return this.#orders.size;
  }

  values(): IterableIterator<OpenOrder> {
    return this.#orders.values();
  }

  get(id: ClientOrderId): OpenOrder | undefined {
    return this.#orders.get(id);
  }

  add(order: OpenOrder): void {
    this.#orders.set(order.intent.clientOrderId, order);
    add(this.#leaving, order.leaves);
    add(this.#coming, order.comes);
  }

  remove(id: ClientOrderId): OpenOrder | undefined {
    const order = this.#orders.get(id);
    if (order === undefined) return undefined;
    this.#orders.delete(id);
    take(this.#leaving, order.leaves);
    take(this.#coming, order.comes);
    return order;
  }

  leaving(asset: Asset): Money {
    return this.#leaving.get(asset) ?? Money.zero(asset);
  }

  coming(asset: Asset): Money {
    return this.#coming.get(asset) ?? Money.zero(asset);
  }
}

export function openOrder(intent: OrderIntent, instrument: Instrument, feeBpsMax: number): OpenOrder {
  const { side, quantity, limit } = intent;
  const { base, quote, priceDecimals } = instrument;
  if (side === "sell")
    return { intent, priceDecimals, leaves: quantity.of(base), comes: limit.times(quantity, quote, "up") };
  const cost = limit.times(quantity, quote, "up");
  return { intent, priceDecimals, leaves: cost.plus(cost.share(feeBpsMax, "up")), comes: quantity.of(base) };
}

function add(totals: Map<Asset, Money>, amount: Money): void {
  const before = totals.get(amount.asset);
  totals.set(amount.asset, before === undefined ? amount : before.plus(amount));
}

/** Only what was added before. */
function take(totals: Map<Asset, Money>, amount: Money): void {
  totals.set(amount.asset, (totals.get(amount.asset) as Money).minus(amount));
}
