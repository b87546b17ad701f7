// RC21: orders and notional sent equal orders and notional approved. The executor reports every approval, drop and
// send; any mismatch halts the bot before the send.

import type { Asset } from "../domain/asset.ts";
import { Money } from "../domain/money/money.ts";
import { notionalOf } from "../domain/notional.ts";
import type { ClientOrderId } from "../domain/order.ts";
import type { OrderIntent } from "../domain/step.ts";
import type { Approved } from "./gate.ts";
import type { Breach } from "./rule.ts";
import { halted } from "./ruling.ts";

type Sendable = Pick<OrderIntent, "clientOrderId" | "symbol" | "side" | "quantity" | "limit">;

/** Orders, and notional in one quote asset. */
type DoorCount = { readonly approved: number; readonly sent: number; readonly dropped: number };
type DoorNotional = { readonly approved: Money; readonly sent: Money; readonly dropped: Money };

export interface ExitDoor {
  approve(order: Approved): void;
  /** Approved, but will not be sent. */
  drop(id: ClientOrderId): void;
  /** Immediately before the send: a breach means that it must not leave. */
  send(order: Sendable): Breach | undefined;
  /** Approved = sent + dropped + waiting, in orders and in notional. */
  check(): Breach | undefined;
  readonly orders: DoorCount;
  notionalIn(quote: Asset): DoorNotional;
}

export function createExitDoor(): ExitDoor {
  return new CountingDoor();
}

type Row = { readonly quote: Asset; approved: Money; sent: Money; dropped: Money };
type Meant = { readonly order: Approved; readonly worth: Money; readonly row: Row };

class CountingDoor implements ExitDoor {
  /** Usually one order waits and leaves before the next is approved, so a list searched from its end is enough. */
  readonly #waiting: Meant[] = [];
  readonly orders = { approved: 0, sent: 0, dropped: 0 };
  /** One row per quote asset: few, so a list. */
  readonly #rows: Row[] = [];

  approve(order: Approved): void {
    const worth = notionalOf(order);
    const row = this.notionalIn(worth.asset);
    this.orders.approved++;
    row.approved = row.approved.plus(worth);
    // An id approved twice replaces the first: the counts then differ, and the check reports it.
    this.#forget(this.#placeOf(order.clientOrderId));
    this.#waiting.push({ order, worth, row });
  }

  drop(id: ClientOrderId): void {
    const place = this.#placeOf(id);
    const meant = this.#waiting[place];
    if (meant === undefined) return;
    this.#forget(place);
    this.orders.dropped++;
    meant.row.dropped = meant.row.dropped.plus(meant.worth);
  }

  send(order: Sendable): Breach | undefined {
    const { clientOrderId } = order;
    const place = this.#placeOf(clientOrderId);
    const meant = this.#waiting[place];
    if (meant === undefined)
      return breach(clientOrderId, `order ${clientOrderId} is`, "not approved, or sent before", "approved once");
    if (order !== meant.order && !isSame(order, meant.order))
      return breach(clientOrderId, `order ${clientOrderId} is`, text(order), text(meant.order));
    this.#forget(place);
    this.orders.sent++;
    // The same order has the same value.
    meant.row.sent = meant.row.sent.plus(meant.worth);
    return undefined;
  }

  check(): Breach | undefined {
    const { approved, sent, dropped } = this.orders;
    const orders = sent + dropped + this.#waiting.length;
    if (orders !== approved) return breach("orders", "orders sent, dropped and waiting are", orders, approved);
    for (let i = 0; i < this.#rows.length; i++) {
      const row = this.#rows[i] as Row;
      let rest = row.dropped;
      for (const one of this.#waiting) if (one.row === row) rest = rest.plus(one.worth);
      if (!row.approved.equals(row.sent.plus(rest)))
        return breach(row.quote, `${row.quote} sent, dropped and waiting is`, row.sent.plus(rest), row.approved);
    }
    return undefined;
  }

  notionalIn(quote: Asset): Row {
    for (let i = 0; i < this.#rows.length; i++) if (this.#rows[i]?.quote === quote) return this.#rows[i] as Row;
    const none = Money.zero(quote);
    const row = { quote, approved: none, sent: none, dropped: none };
    this.#rows.push(row);
    return row;
  }

  /** Past the end if it does not wait. */
  #placeOf(id: ClientOrderId): number {
    const { length } = this.#waiting;
    for (let place = length - 1; place >= 0; place--)
      if (this.#waiting[place]?.order.clientOrderId === id) return place;
    return length;
  }

  #forget(place: number): void {
    if (place === this.#waiting.length - 1) this.#waiting.pop();
    else if (place < this.#waiting.length) this.#waiting.splice(place, 1);
  }
}

function isSame(a: Sendable, b: Sendable): boolean {
  return a.symbol === b.symbol && a.side === b.side && a.quantity.equals(b.quantity) && a.limit.equals(b.limit);
}

function text({ side, quantity, symbol, limit }: Sendable): string {
  return `${side} ${quantity} ${symbol} at ${limit}`;
}

type Shown = { toString(): string };

function breach(subject: string, what: string, value: Shown, limit: Shown): Breach {
  return halted("RC21", { subject, what, value, limit });
}
