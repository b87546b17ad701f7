// Orders that may still trade, with their rate at approval, and the ones of unknown outcome among them.

import { type Asset, assetsOf } from "../../domain/asset.ts";
import { Money, type Price } from "../../domain/money/money.ts";
import { stakeOf } from "../../domain/notional.ts";
import type { ClientOrderId } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";

type OpenOrder = {
  readonly id: ClientOrderId;
  readonly value: Money | undefined;
  readonly rate: Price | undefined;
  /** The venue's mid of the pair at approval. */
  readonly mid: number | undefined;
};
/** The list is empty for an unknown order, which may concern any asset. */
type Doubt = { readonly clientOrderId: ClientOrderId; readonly assets: readonly Asset[]; readonly since: Millis };

export type SavedOpen = { readonly open: readonly OpenOrder[]; readonly doubts: readonly Doubt[] };

export class OpenOrders {
  readonly #currency: Asset;
  readonly #orders: OpenOrder[] = [];
  readonly doubts = new Doubts();
  value: Money;

  constructor(currency: Asset, saved: SavedOpen | undefined) {
    this.#currency = currency;
    this.value = Money.zero(currency);
    for (const order of saved?.open ?? []) this.#put(order);
    for (const doubt of saved?.doubts ?? []) this.doubts.add(doubt);
  }

  open(intent: OrderIntent, rate: Price | undefined, mid: number | undefined): void {
    this.#put({ id: intent.clientOrderId, value: stakeOf(intent, rate, this.#currency), rate, mid });
  }

  get(id: ClientOrderId): OpenOrder | undefined {
    return this.#orders.find((order) => order.id === id);
  }

  doubt(id: ClientOrderId, intent: OrderIntent | undefined, at: Millis): void {
    const pair = intent && assetsOf(intent.symbol);
    this.doubts.add({ clientOrderId: id, assets: pair === undefined ? [] : [pair.base, pair.quote], since: at });
  }

  close(id: ClientOrderId): void {
    this.doubts.drop(id);
    const place = this.#orders.findIndex((order) => order.id === id);
    const [order] = place === -1 ? [] : this.#orders.splice(place, 1);
    if (this.#orders.length === 0) this.value = Money.zero(this.#currency);
    else if (order?.value !== undefined) this.value = this.value.minus(order.value);
  }

  save(): SavedOpen {
    return { open: [...this.#orders], doubts: this.doubts.list() };
  }

  #put(order: OpenOrder): void {
    this.#orders.push(order);
    if (order.value !== undefined) this.value = this.value.plus(order.value);
  }
}

export class Doubts {
  readonly #doubts = new Map<ClientOrderId, Doubt>();

  get count(): number {
    return this.#doubts.size;
  }

  /** The oldest open one and its order. */
  get oldest(): Doubt | undefined {
    return this.list().toSorted((one, other) => one.since - other.since)[0];
  }

  countOf(asset: Asset): number {
    return this.list().filter(({ assets }) => assets.length === 0 || assets.includes(asset)).length;
  }

  list(): readonly Doubt[] {
    return [...this.#doubts.values()];
  }

  /** As old as its first report. */
  add(doubt: Doubt): void {
    if (!this.#doubts.has(doubt.clientOrderId)) this.#doubts.set(doubt.clientOrderId, doubt);
  }

  drop(id: ClientOrderId): void {
    this.#doubts.delete(id);
  }
}
