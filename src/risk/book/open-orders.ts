// Orders that may still trade, with the rate they were approved at, and those of unknown outcome among them.

import { type Asset, assetsOf } from "../../domain/asset.ts";
import { Money, Price } from "../../domain/money/money.ts";
import type { ClientOrderId } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { Doubts } from "../books.ts";
import type { BooksData } from "./data.ts";

type OpenOrder = { readonly value: Money | undefined; readonly rate: Price | undefined };
/** An order nobody knows may concern any asset: then the list is empty. */
type Doubt = { readonly clientOrderId: ClientOrderId; readonly assets: readonly Asset[]; readonly since: Millis };

export type OpenOrders = {
  readonly value: Money;
  readonly doubts: Doubts;
  open(intent: OrderIntent, rate: Price | undefined): void;
  rateOf(id: ClientOrderId): Price | undefined;
  doubt(id: ClientOrderId, intent: OrderIntent | undefined, at: Millis): void;
  close(id: ClientOrderId): void;
  save(): Pick<BooksData, "open" | "doubts">;
};

export function createOpenOrders(currency: Asset, saved: Pick<BooksData, "open" | "doubts">): OpenOrders {
  const orders = new Map<ClientOrderId, OpenOrder>();
  const doubts = new Map<ClientOrderId, Doubt>();
  let total = Money.zero(currency);

  const put = (id: ClientOrderId, order: OpenOrder): void => {
    orders.set(id, order);
    if (order.value !== undefined) total = total.plus(order.value);
  };
  for (const { clientOrderId, value, rate } of saved.open)
    put(clientOrderId as ClientOrderId, {
      value: value === null ? undefined : Money.of(value, currency),
      rate: rate === null ? undefined : Price.of(rate),
    });
  for (const { clientOrderId, assets, since } of saved.doubts) {
    const id = clientOrderId as ClientOrderId;
    doubts.set(id, { clientOrderId: id, assets: assets as Asset[], since: millis(since) });
  }

  return {
    get value() {
      return total;
    },
    doubts: {
      get count() {
        return doubts.size;
      },
      countOf(asset) {
        let count = 0;
        for (const { assets } of doubts.values()) if (assets.length === 0 || assets.includes(asset)) count++;
        return count;
      },
      get oldest() {
        let oldest: Doubt | undefined;
        for (const doubt of doubts.values()) if (oldest === undefined || doubt.since < oldest.since) oldest = doubt;
        return oldest;
      },
    },
    open(intent, rate) {
      const { quote } = assetsOf(intent.symbol);
      const notional = intent.limit.times(intent.quantity, quote, "up");
      const value = quote === currency ? notional : rate && notional.valued(rate, currency, "up");
      put(intent.clientOrderId, { value, rate });
    },
    rateOf: (id) => orders.get(id)?.rate,
    doubt(id, intent, at) {
      if (doubts.has(id)) return;
      const pair = intent && assetsOf(intent.symbol);
      doubts.set(id, { clientOrderId: id, assets: pair === undefined ? [] : [pair.base, pair.quote], since: at });
    },
    close(id) {
      const order = orders.get(id);
      if (order?.value !== undefined) total = total.minus(order.value);
      orders.delete(id);
      doubts.delete(id);
    },
    save: () => ({
      open: [...orders].map(([clientOrderId, { value, rate }]) => ({
        clientOrderId,
        value: value?.toString() ?? null,
        rate: rate?.toString() ?? null,
      })),
      doubts: [...doubts.values()].map(({ clientOrderId, assets, since }) => ({
        clientOrderId,
        assets: [...assets],
        since,
      })),
    }),
  };
}
