// RC21: at the exit door, orders and notional sent are orders and notional approved, no more and nothing else. The executor
// tells what was approved, dropped and is about to leave; whatever does not match halts the bot before it is sent.

import { type Asset, assetsOf } from "../domain/asset.ts";
import { Money } from "../domain/money/money.ts";
import type { ClientOrderId } from "../domain/order.ts";
import type { OrderIntent } from "../domain/step.ts";
import type { Approved } from "./gate.ts";
import type { Breach } from "./rule.ts";
import { halted } from "./ruling.ts";

export type DoorCount = { readonly orders: number; readonly notional: ReadonlyMap<Asset, Money> };
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
  const waiting = new Map<ClientOrderId, Approved>();
  const approved = createTally();
  const sent = createTally();
  const dropped = createTally();
  return {
    approved,
    sent,
    dropped,
    approve(order) {
      approved.add(order);
      waiting.set(order.clientOrderId, order);
    },
    drop(id) {
      const order = waiting.get(id);
      if (order === undefined) return;
      waiting.delete(id);
      dropped.add(order);
    },
    send(order) {
      const meant = waiting.get(order.clientOrderId);
      if (meant === undefined)
        return breach(`order ${order.clientOrderId} is`, "not approved, or sent before", "approved once");
      if (!isSame(order, meant)) return breach(`order ${order.clientOrderId} is`, text(order), text(meant));
      waiting.delete(order.clientOrderId);
      sent.add(order);
      return undefined;
    },
    check() {
      const orders = sent.orders + dropped.orders + waiting.size;
      if (orders !== approved.orders) return breach("orders sent, dropped and waiting are", orders, approved.orders);
      for (const [asset, notional] of approved.notional) {
        let sum = sent.of(asset).plus(dropped.of(asset));
        for (const order of waiting.values())
          if (assetsOf(order.symbol).quote === asset) sum = sum.plus(worthOf(order));
        if (!sum.equals(notional)) return breach(`${asset} sent, dropped and waiting is`, sum, notional);
      }
      return undefined;
    },
  };
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

function createTally() {
  let orders = 0;
  const notional = new Map<Asset, Money>();
  return {
    get orders() {
      return orders;
    },
    notional,
    of: (asset: Asset): Money => notional.get(asset) ?? Money.zero(asset),
    add(order: Sendable): void {
      const worth = worthOf(order);
      orders++;
      const before = notional.get(worth.asset);
      notional.set(worth.asset, before === undefined ? worth : before.plus(worth));
    },
  };
}

function worthOf({ symbol, limit, quantity }: Sendable): Money {
  return limit.times(quantity, assetsOf(symbol).quote, "up");
}
