// Accepts orders: checks the account and the pair, and decides when an order executes. Its faults: late execution,
// unknown status, a pair that is delisted or changes its grid, a second writer.

import type { PairSymbol } from "../../domain/asset.ts";
import { Price, Quantity } from "../../domain/money/money.ts";
import type { ClientOrderId, Side } from "../../domain/order.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { OutgoingOrder } from "../../exchange/port.ts";
import type { Dealer } from "./dealer.ts";
import { Execution } from "./execution.ts";
import type { OrderReceipt, OrderRow } from "./record.ts";
import { type Answer, type Form, refused } from "./refusal.ts";
import { admittedTo, shown, type Trader, traderOf, type VenueCore } from "./venue-core.ts";

export type OrdersState = {
  readonly count: number;
  readonly foreignCount: number;
  readonly executing: readonly Executing[];
  readonly late: Readonly<Record<string, OrderRow>>;
  /** Pairs delisted by a fault, and until when. */
  readonly delisted: readonly { readonly symbol: string; readonly until: Millis }[];
  /** Quantity decimals before a fault changed them. */
  readonly precision: readonly { readonly symbol: string; readonly decimals: number }[];
};

type Executing = {
  readonly key: string;
  readonly orderId: string;
  readonly order: OutgoingOrder;
  readonly executesAt: Millis;
};

const UNKNOWN_STATUS = "PendingReview";
/** The number of late outcomes kept until they are fetched. */
const LATE_MAX = 1_000;
const FRESH: OrdersState = { count: 0, foreignCount: 0, executing: [], late: {}, delisted: [], precision: [] };

export class Orders {
  private readonly core: VenueCore;
  private readonly dealer: Dealer;
  private readonly execution: Execution;
  private count: number;
  private foreignCount: number;
  private executing: Executing[];
  private delisted: OrdersState["delisted"][number][];
  private readonly precision: Map<string, number>;
  private readonly late: Map<string, OrderRow>;
  private nextDue: number;

  constructor(core: VenueCore, dealer: Dealer, saved: OrdersState = FRESH) {
    this.core = core;
    this.dealer = dealer;
    this.execution = new Execution(core, dealer);
    this.count = saved.count;
    this.foreignCount = saved.foreignCount;
    this.executing = [...saved.executing];
    this.delisted = [...saved.delisted];
    this.precision = new Map(saved.precision.map(({ symbol, decimals }) => [symbol, decimals]));
    this.late = new Map(Object.entries(saved.late));
    this.nextDue = this.dueOf();
  }

  /** An order as it comes over HTTP, with every value as text. */
  add(key: string, form: Form, at: Millis): Answer<OrderReceipt> {
    // The account is checked before the content, as for mints and rails.
    const account = admittedTo(this.core, key, "conversion");
    if (!account.ok) return account;
    const order = readOrder(form, at, this.core.settings.orderAgeMsMax);
    return order.ok ? this.place(key, order.value, at) : order;
  }

  place(key: string, order: OutgoingOrder, at: Millis): Answer<OrderReceipt> {
    const { core } = this;
    const account = admittedTo(core, key, "conversion");
    if (!account.ok) return account;
    const { faults, chance } = core;
    if (faults.delistChance > 0 || faults.precisionChance > 0) this.disturb(order.symbol, at);
    const pair = core.pairs.get(order.symbol);
    if (pair === undefined || pair.status !== "online")
      return refused("unknown_symbol", `symbol must be a tradable pair, was ${shown(order.symbol)}`);
    const orderId = this.nextId();
    const { executionDelay } = faults;
    const delay = executionDelay.chance > 0 ? chance.delayMs("execution-delay", executionDelay) : 0;
    if (delay > 0) return this.postponed({ key, orderId, order, executesAt: millis(at + delay) });
    const trader = traderOf(core.pockets, account.value, pair);
    const row = this.execution.attempt(trader, order, orderId, at);
    if (chance.occurs("second-writer", faults.secondWriterChance)) this.tradeAsSecondWriter(trader, at);
    return { ok: true, value: { kind: "done", order: this.asAnswered(row) } };
  }

  /** The result of an order that executed late. */
  outcome(orderId: string): OrderRow | undefined {
    return this.late.get(orderId);
  }

  /** Executes due orders; cheap when none is due. */
  advance(at: Millis): void {
    if (at >= this.nextDue) this.catchUp(at);
  }

  save(): OrdersState {
    return {
      count: this.count,
      foreignCount: this.foreignCount,
      executing: [...this.executing],
      late: Object.fromEntries(this.late),
      delisted: [...this.delisted],
      precision: [...this.precision].map(([symbol, decimals]) => ({ symbol, decimals })),
    };
  }

  private catchUp(at: Millis): void {
    const due = this.executing.filter(({ executesAt }) => executesAt <= at);
    this.executing = this.executing.filter(({ executesAt }) => executesAt > at);
    due.sort((a, b) => a.executesAt - b.executesAt);
    for (const one of due) this.executeLate(one);
    const { pairs } = this.core;
    for (const { symbol, until } of this.delisted) {
      const pair = pairs.get(symbol);
      if (until <= at && pair !== undefined) pairs.set(symbol, { ...pair, status: "online" });
    }
    this.delisted = this.delisted.filter(({ until }) => until > at);
    this.nextDue = this.dueOf();
  }

  private nextId(): string {
    this.count++;
    return `${1_000_000 + this.count}`;
  }

  private postponed(executing: Executing): Answer<OrderReceipt> {
    this.executing.push(executing);
    this.nextDue = this.dueOf();
    const { orderId, executesAt } = executing;
    return { ok: true, value: { kind: "executing", orderId, executesAt } };
  }

  /** The answer may carry an unknown status; the history keeps the true one. */
  private asAnswered(row: OrderRow): OrderRow {
    const { chance, faults } = this.core;
    return chance.occurs("unknown-status", faults.unknownStatusChance) ? { ...row, status: UNKNOWN_STATUS } : row;
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

  private disturb(symbol: string, at: Millis): void {
    const { pairs, chance, faults } = this.core;
    const pair = pairs.get(symbol);
    if (pair === undefined || pair.status !== "online") return;
    if (chance.occurs("delist", faults.delistChance)) {
      pairs.set(symbol, { ...pair, status: "offline" });
      this.delisted.push({ symbol, until: millis(at + faults.delistMs) });
      this.nextDue = this.dueOf();
    } else if (chance.occurs("precision", faults.precisionChance)) {
      const original = this.precision.get(symbol);
      if (original === undefined) this.precision.set(symbol, pair.quantityDecimals);
      else this.precision.delete(symbol);
      pairs.set(symbol, { ...pair, quantityDecimals: original ?? Math.max(0, pair.quantityDecimals - 1) });
    }
  }

  private dueOf(): number {
    let due = Number.POSITIVE_INFINITY;
    for (const { executesAt } of this.executing) due = Math.min(due, executesAt);
    for (const { until } of this.delisted) due = Math.min(due, until);
    return due;
  }

  private executeLate({ key, orderId, order, executesAt }: Executing): void {
    const { late, core } = this;
    const account = core.accounts.get(key);
    const pair = core.pairs.get(order.symbol);
    if (account === undefined || pair === undefined) return;
    const row = this.execution.attempt(traderOf(core.pockets, account, pair), order, orderId, executesAt);
    late.set(orderId, this.asAnswered(row));
    if (late.size > LATE_MAX) late.delete(late.keys().next().value as string);
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
