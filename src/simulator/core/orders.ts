// Accepts orders: checks the account and the pair. Its fault: a second writer.

import type { PairSymbol } from "../../domain/asset.ts";
import { Price, Quantity } from "../../domain/money/money.ts";
import type { ClientOrderId, Side } from "../../domain/order.ts";
import type { Millis } from "../../domain/time.ts";
import type { OutgoingOrder } from "../../exchange/port.ts";
import type { Dealer } from "./dealer.ts";
import { Execution } from "./execution.ts";
import type { OrderRow } from "./record.ts";
import { type Answer, type Form, refused } from "./refusal.ts";
import { admittedTo, shown, type Trader, traderOf, type VenueCore } from "./venue-core.ts";

export type OrdersState = { readonly count: number; readonly foreignCount: number };

export class Orders {
  private readonly core: VenueCore;
  private readonly dealer: Dealer;
  private readonly execution: Execution;
  private count: number;
  private foreignCount: number;

  constructor(core: VenueCore, dealer: Dealer, saved: OrdersState = { count: 0, foreignCount: 0 }) {
    this.core = core;
    this.dealer = dealer;
    this.execution = new Execution(core, dealer);
    this.count = saved.count;
    this.foreignCount = saved.foreignCount;
  }

  /** An order as it comes over HTTP, with every value as text. */
  add(key: string, form: Form, at: Millis): Answer<OrderRow> {
    // The account is checked before the content, as for mints and rails.
    const account = admittedTo(this.core, key, "conversion");
    if (!account.ok) return account;
    const order = readOrder(form, at, this.core.settings.orderAgeMsMax);
    return order.ok ? this.place(key, order.value, at) : order;
  }

  place(key: string, order: OutgoingOrder, at: Millis): Answer<OrderRow> {
    const { core } = this;
    const account = admittedTo(core, key, "conversion");
    if (!account.ok) return account;
    const { faults, chance } = core;
    const pair = core.pairs.get(order.symbol);
    if (pair === undefined || pair.status !== "online")
      return refused("unknown_symbol", `symbol must be a tradable pair, was ${shown(order.symbol)}`);
    const trader = traderOf(core.pockets, account.value, pair);
    const row = this.execution.attempt(trader, order, this.nextId(), at);
    if (chance.occurs("second-writer", faults.secondWriterChance)) this.tradeAsSecondWriter(trader, at);
    return { ok: true, value: row };
  }

  save(): OrdersState {
    return { count: this.count, foreignCount: this.foreignCount };
  }

  private nextId(): string {
    this.count++;
    return `${1_000_000 + this.count}`;
  }

  private tradeAsSecondWriter(trader: Trader, at: Millis): void {
    const { pair } = trader;
    const side: Side = this.core.chance.occurs("second-writer-side", 0.5) ? "buy" : "sell";
    const limit = this.dealer.price(pair, side, at);
    if (limit === undefined) return;
    const clientOrderId = `portal-${++this.foreignCount}` as ClientOrderId;
    const order = { clientOrderId, symbol: pair.symbol, side, quantity: pair.quantityMin, limit };
    this.execution.attempt(trader, order, this.nextId(), at);
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

/** NaN where the text is no ISO 8601 time in UTC. */
export function utcTime(text: string): number {
  return UTC_TIME.test(text) ? Date.parse(text) : Number.NaN;
}

function readOrder(form: Form, at: Millis, ageMsMax: number | undefined): Answer<OutgoingOrder> {
  const missing = FIELDS.find((field) => !form[field]);
  if (missing !== undefined) return refused("bad_request", `${missing} is missing`);
  const { timestamp, clordid, symbol, side, ordtype, timeinforce, orderqty, price } = form as Record<string, string>;
  const sentAt = utcTime(timestamp as string);
  if (Number.isNaN(sentAt)) return refused("bad_request", `timestamp must be ISO 8601 in UTC, was ${shown(timestamp)}`);
  if (ageMsMax !== undefined && Math.abs(at - sentAt) > ageMsMax)
    return refused("bad_request", `timestamp must be within ${ageMsMax} ms of ours, was ${at - sentAt} ms before it`);
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
