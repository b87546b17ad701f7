// Accepts orders: checks the account and the pair.

import type { PairSymbol } from "../../domain/asset.ts";
import { Price, Quantity } from "../../domain/money/money.ts";
import type { ClientOrderId, Side } from "../../domain/order.ts";
import type { Millis } from "../../domain/time.ts";
import type { OutgoingOrder } from "../../exchange/port.ts";
import type { Dealer } from "./dealer.ts";
import { Execution } from "./execution.ts";
import type { OrderRow } from "./record.ts";
import { type Answer, type Form, refused } from "./refusal.ts";
import { admittedTo, shown, traderOf, type VenueCore } from "./venue-core.ts";

export type OrdersState = { readonly count: number };

export class Orders {
  private readonly core: VenueCore;
  private readonly execution: Execution;
  private count: number;

  constructor(core: VenueCore, dealer: Dealer, saved: OrdersState = { count: 0 }) {
    this.core = core;
    this.execution = new Execution(core, dealer);
    this.count = saved.count;
  }

  /** An order as it comes over HTTP, with every value as text. */
  add(key: string, form: Form, at: Millis): Answer<OrderRow> {
    // The account is checked before the content, as for mints and rails.
    const account = admittedTo(this.core, key, "conversion");
    if (!account.ok) return account;
    const order = readOrder(form);
    return order.ok ? this.place(key, order.value, at) : order;
  }

  place(key: string, order: OutgoingOrder, at: Millis): Answer<OrderRow> {
    const { core } = this;
    const account = admittedTo(core, key, "conversion");
    if (!account.ok) return account;
    const pair = core.pairs.get(order.symbol);
    if (pair === undefined || pair.status !== "online")
      return refused("unknown_symbol", `symbol must be a tradable pair, was ${shown(order.symbol)}`);
    const orderId = `${1_000_000 + ++this.count}`;
    return { ok: true, value: this.execution.attempt(traderOf(core.pockets, account.value, pair), order, orderId, at) };
  }

  save(): OrdersState {
    return { count: this.count };
  }
}

// Reads an order from text by the rules of the interface: a missing or malformed field is a bad request, an unknown
// value in side, ordtype or timeinforce is an invalid order.

const FIELDS = ["timestamp", "clordid", "symbol", "side", "ordtype", "timeinforce", "orderqty", "price"] as const;
const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|\+00:00)$/;
const CLIENT_ORDER_ID = /^[\x21-\x7e]{1,64}$/;
const SIDES: ReadonlyMap<string, Side> = new Map([
  ["Buy", "buy"],
  ["Sell", "sell"],
]);

function readOrder(form: Form): Answer<OutgoingOrder> {
  const missing = FIELDS.find((field) => !form[field]);
  if (missing !== undefined) return refused("bad_request", `${missing} is missing`);
  const { timestamp, clordid, symbol, side, ordtype, timeinforce, orderqty, price } = form as Record<string, string>;
  if (!UTC_TIME.test(timestamp as string) || Number.isNaN(Date.parse(timestamp as string)))
    return refused("bad_request", `timestamp must be ISO 8601 in UTC, was ${shown(timestamp)}`);
  if (!CLIENT_ORDER_ID.test(clordid as string))
    return refused("bad_request", `clordid must be 1 to 64 printable ASCII characters, was ${shown(clordid)}`);
  const sideRead = SIDES.get(side as string);
  if (sideRead === undefined) return refused("invalid_order", `side must be Buy or Sell, was ${shown(side)}`);
  if (ordtype !== "Limit") return refused("invalid_order", `ordtype must be Limit, was ${shown(ordtype)}`);
  if (timeinforce !== "FOK") return refused("invalid_order", `timeinforce must be FOK, was ${shown(timeinforce)}`);
  const quantity = Quantity.parse(orderqty, "positive");
  if (!quantity.ok) return refused("bad_request", `orderqty: ${quantity.error}`);
  const limit = Price.parse(price);
  if (!limit.ok) return refused("bad_request", `price: ${limit.error}`);
  return {
    ok: true,
    value: {
      clientOrderId: clordid as ClientOrderId,
      symbol: symbol as PairSymbol,
      side: sideRead,
      quantity: quantity.value,
      limit: limit.value,
    },
  };
}
