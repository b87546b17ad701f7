// Orders that may still trade, with their rate at approval, and the ones of unknown outcome among them.

import { type Asset, assetsOf } from "../../domain/asset.ts";
import { Money, type Price } from "../../domain/money/money.ts";
import { stakeOf } from "../../domain/notional.ts";
import type { ClientOrderId } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { Doubts } from "../counters.ts";

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
  readonly doubts = new OpenDoubts();
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
    if (this.doubts.has(id)) return;
    const pair = intent && assetsOf(intent.symbol);
    this.doubts.add({ clientOrderId: id, assets: pair === undefined ? [] : [pair.base, pair.quote], since: at });
  }

  /** False if it was not open. */
  close(id: ClientOrderId): boolean {
    const wasInDoubt = this.doubts.drop(id);
    const place = this.#orders.findIndex((order) => order.id === id);
    const [order] = place === -1 ? [] : this.#orders.splice(place, 1);
    if (order === undefined) return wasInDoubt;
    if (this.#orders.length === 0) this.value = Money.zero(this.#currency);
    else if (order.value !== undefined) this.value = this.value.minus(order.value);
    return true;
  }

  save(): SavedOpen {
    return { open: [...this.#orders], doubts: this.doubts.list() };
  }

  #put(order: OpenOrder): void {
    this.#orders.push(order);
    if (order.value !== undefined) this.value = this.value.plus(order.value);
  }
}

/** Rarely holds any, so the empty case is answered first. */
class OpenDoubts implements Doubts {
  readonly #doubts = new Map<ClientOrderId, Doubt>();
  count = 0;
  oldest: Doubt | undefined = undefined;

  countOf(asset: Asset): number {
    let count = 0;
    for (const { assets } of this.#doubts.values()) if (assets.length === 0 || assets.includes(asset)) count++;
    return count;
  }

  has(id: ClientOrderId): boolean {
    return this.#doubts.has(id);
  }

  list(): readonly Doubt[] {
    return [...this.#doubts.values()];
  }

  add(doubt: Doubt): void {
    this.#doubts.set(doubt.clientOrderId, doubt);
    this.#count();
  }

  drop(id: ClientOrderId): boolean {
    if (this.count === 0 || !this.#doubts.delete(id)) return false;
    this.#count();
    return true;
  }

  #count(): void {
    this.count = this.#doubts.size;
    this.oldest = undefined;
    for (const doubt of this.#doubts.values())
      if (this.oldest === undefined || doubt.since < this.oldest.since) this.oldest = doubt;
  }
}
