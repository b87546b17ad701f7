// RC21: at the exit door, orders and notional sent are orders and notional approved, no more and nothing else. The executor
// tells what was approved, dropped and is about to leave; whatever does not match halts the bot before it is sent.

import { type Asset, assetsOf } from "../domain/asset.ts";
import { Money } from "../domain/money/money.ts";
import type { ClientOrderId } from "../domain/order.ts";
import type { OrderIntent } from "../domain/step.ts";
import type { Approved } from "./gate.ts";
import type { Breach } from "./rule.ts";
import { halted } from "./ruling.ts";

export type DoorCount = { readonly orders: number; of(asset: Asset): Money };
type Sendable = Pick<OrderIntent, "clientOrderId" | "symbol" | "side" | "quantity" | "limit">;

export interface ExitDoor {
  approve(order: Approved): void;
  /** Approved, but will not be sent. */
  drop(id: ClientOrderId): void;
  /** Right before the send: a breach means that it must not leave. */
  send(order: Sendable): Breach | undefined;
  /** Approved = sent + dropped + waiting, in orders and in notional. */
  check(): Breach | undefined;
  readonly approved: DoorCount;
  readonly sent: DoorCount;
  readonly dropped: DoorCount;
}

export function createExitDoor(): ExitDoor {
  return new CountingDoor();
}

type Meant = { readonly order: Approved; readonly worth: Money };

class CountingDoor implements ExitDoor {
  /** Mostly one order waits, and leaves before the next is approved. */
  #last: Meant | undefined = undefined;
  /** All that wait but the last. */
  readonly #waiting = new Map<ClientOrderId, Meant>();
  readonly approved = new Tally();
  readonly sent = new Tally();
  readonly dropped = new Tally();

  approve(order: Approved): void {
    const worth = worthOf(order);
    this.approved.add(worth);
    // An id that is approved again takes the place of the first: then the counts differ, and the check says so.
    if (this.#waiting.size > 0) this.#waiting.delete(order.clientOrderId);
    if (this.#last !== undefined && this.#last.order.clientOrderId !== order.clientOrderId)
      this.#waiting.set(this.#last.order.clientOrderId, this.#last);
    this.#last = { order, worth };
  }

  drop(id: ClientOrderId): void {
    const meant = this.#find(id);
    if (meant === undefined) return;
    this.#forget(meant);
    this.dropped.add(meant.worth);
  }

  send(order: Sendable): Breach | undefined {
    const { clientOrderId } = order;
    const meant = this.#find(clientOrderId);
    if (meant === undefined)
      return breach(`order ${clientOrderId} is`, "not approved, or sent before", "approved once");
    if (order !== meant.order && !isSame(order, meant.order))
      return breach(`order ${clientOrderId} is`, text(order), text(meant.order));
    this.#forget(meant);
    // The same order, so worth the same.
    this.sent.add(meant.worth);
    return undefined;
  }

  check(): Breach | undefined {
    const { approved, sent, dropped } = this;
    const orders = sent.orders + dropped.orders + this.#waiting.size + (this.#last === undefined ? 0 : 1);
    if (orders !== approved.orders) return breach("orders sent, dropped and waiting are", orders, approved.orders);
    for (let i = 0; i < approved.notional.length; i++) {
      const notional = approved.notional[i] as Money;
      const { asset } = notional;
      const ended = dropped.of(asset).plus(this.#waitingOf(asset));
      if (!notional.isSum(sent.of(asset), ended))
        return breach(`${asset} sent, dropped and waiting is`, sent.of(asset).plus(ended), notional);
    }
    return undefined;
  }

  #waitingOf(asset: Asset): Money {
    let sum = this.#last?.worth.asset === asset ? this.#last.worth : Money.zero(asset);
    if (this.#waiting.size > 0)
      for (const { worth } of this.#waiting.values()) if (worth.asset === asset) sum = sum.plus(worth);
    return sum;
  }

  #find(id: ClientOrderId): Meant | undefined {
    return this.#last?.order.clientOrderId === id ? this.#last : this.#waiting.get(id);
  }

  #forget(meant: Meant): void {
    if (meant === this.#last) this.#last = undefined;
    else this.#waiting.delete(meant.order.clientOrderId);
  }
}

function isSame(a: Sendable, b: Sendable): boolean {
  return a.symbol === b.symbol && a.side === b.side && a.quantity.equals(b.quantity) && a.limit.equals(b.limit);
}

function text({ side, quantity, symbol, limit }: Sendable): string {
  return `${side} ${quantity} ${symbol} at ${limit}`;
}

function breach(what: string, value: { toString(): string }, limit: { toString(): string }): Breach {
  return halted("RC21", what, value, limit);
}

class Tally implements DoorCount {
  orders = 0;
  /** One of each asset that was ever counted: few, so a list. */
  readonly notional: Money[] = [];

  of(asset: Asset): Money {
    return this.notional[this.#placeOf(asset)] ?? Money.zero(asset);
  }

  add(worth: Money): void {
    const place = this.#placeOf(worth.asset);
    this.orders++;
    this.notional[place] = this.notional[place]?.plus(worth) ?? worth;
  }

  #placeOf(asset: Asset): number {
    let place = 0;
    while (place < this.notional.length && this.notional[place]?.asset !== asset) place++;
    return place;
  }
}

function worthOf({ symbol, limit, quantity }: Sendable): Money {
  return limit.times(quantity, assetsOf(symbol).quote, "up");
}
