// RC21: at the exit door, orders and notional sent are orders and notional approved, no more and nothing else. The executor
// tells what was approved, dropped and is about to leave; whatever does not match halts the bot before it is sent.

import { type Asset, assetsOf } from "../domain/asset.ts";
import { Money } from "../domain/money/money.ts";
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
  /** Right before the send: a breach means that it must not leave. */
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
  /** Mostly one order waits, and leaves before the next is approved. */
  #last: Meant | undefined = undefined;
  /** All that wait but the last. */
  readonly #waiting = new Map<ClientOrderId, Meant>();
  readonly orders = { approved: 0, sent: 0, dropped: 0 };
  /** One of each quote asset that was ever counted: few, so a list. */
  readonly #rows: Row[] = [];

  approve(order: Approved): void {
    const { quote } = assetsOf(order.symbol);
    const worth = order.limit.times(order.quantity, quote, "up");
    const row = this.notionalIn(quote);
    this.orders.approved++;
    row.approved = row.approved.plus(worth);
    // An id that is approved again takes the place of the first: then the counts differ, and the check says so.
    if (this.#waiting.size > 0) this.#waiting.delete(order.clientOrderId);
    if (this.#last !== undefined && this.#last.order.clientOrderId !== order.clientOrderId)
      this.#waiting.set(this.#last.order.clientOrderId, this.#last);
    this.#last = { order, worth, row };
  }

  drop(id: ClientOrderId): void {
    const meant = this.#find(id);
    if (meant === undefined) return;
    this.#forget(meant);
    this.orders.dropped++;
    meant.row.dropped = meant.row.dropped.plus(meant.worth);
  }

  send(order: Sendable): Breach | undefined {
    const { clientOrderId } = order;
    const meant = this.#find(clientOrderId);
    if (meant === undefined)
      return breach(`order ${clientOrderId} is`, "not approved, or sent before", "approved once");
    if (order !== meant.order && !isSame(order, meant.order))
      return breach(`order ${clientOrderId} is`, text(order), text(meant.order));
    this.#forget(meant);
    this.orders.sent++;
    // The same order, so worth the same.
    meant.row.sent = meant.row.sent.plus(meant.worth);
    return undefined;
  }

  check(): Breach | undefined {
    const { approved, sent, dropped } = this.orders;
    const orders = sent + dropped + this.#waiting.size + (this.#last === undefined ? 0 : 1);
    if (orders !== approved) return breach("orders sent, dropped and waiting are", orders, approved);
    for (let i = 0; i < this.#rows.length; i++) {
      const row = this.#rows[i] as Row;
      const rest = this.#withWaiting(row, row.dropped);
      if (!row.approved.isSum(row.sent, rest))
        return breach(`${row.quote} sent, dropped and waiting is`, row.sent.plus(rest), row.approved);
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

  #withWaiting(row: Row, before: Money): Money {
    let sum = before;
    if (this.#last?.row === row) sum = sum.plus(this.#last.worth);
    if (this.#waiting.size > 0)
      for (const one of this.#waiting.values()) if (one.row === row) sum = sum.plus(one.worth);
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
