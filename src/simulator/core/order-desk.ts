// Where orders are taken: who may trade, whether the pair is listed, when the order executes. The faults of this desk are
// here: late execution, unknown status, a pair that vanishes or changes its grid, a second writer.

import type { ClientOrderId, Side } from "../../domain/order.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { OutgoingOrder } from "../../exchange/port.ts";
import type { Answer, Form } from "./answer.ts";
import { type Booth, createBooths } from "./booth.ts";
import type { Dealer } from "./dealer.ts";
import { createExecution } from "./execution.ts";
import { admittedTo, type House, shown } from "./house.ts";
import { readOrder } from "./order-form.ts";
import type { OrderReceipt, OrderRow } from "./record.ts";
import { refused } from "./refusal.ts";

export interface OrderDesk {
  add(key: string, form: Form, at: Millis): Answer<OrderReceipt>;
  place(key: string, order: OutgoingOrder, at: Millis): Answer<OrderReceipt>;
  outcome(orderId: string): OrderRow | undefined;
  isDue(at: Millis): boolean;
  /** Executes what is due; cheap when nothing is. */
  advance(at: Millis): void;
  save(): OrderDeskState;
}

export type OrderDeskState = {
  readonly count: number;
  readonly foreignCount: number;
  readonly executing: readonly Executing[];
  readonly late: readonly OrderRow[];
  /** Pairs off the list by fault, and until when. */
  readonly delisted: readonly { readonly symbol: string; readonly until: Millis }[];
  /** Quantity decimals before the fault changed them. */
  readonly precision: readonly { readonly symbol: string; readonly decimals: number }[];
};

type Executing = {
  readonly key: string;
  readonly orderId: string;
  readonly order: OutgoingOrder;
  readonly executesAt: Millis;
};

const UNKNOWN_STATUS = "PendingReview";
/** Outcomes of late executions that nobody asked for yet. */
const LATE_MAX = 1_000;
const FRESH: OrderDeskState = { count: 0, foreignCount: 0, executing: [], late: [], delisted: [], precision: [] };

export function createOrderDesk(house: House, dealer: Dealer, saved: OrderDeskState = FRESH): OrderDesk {
  const { settings, chance } = house;
  const execute = createExecution(house, dealer);
  const boothOf = createBooths(house.pockets);
  let { count, foreignCount } = saved;
  let executing = [...saved.executing];
  let delisted = [...saved.delisted];
  const precision = new Map(saved.precision.map(({ symbol, decimals }) => [symbol, decimals]));
  const late = new Map(saved.late.map((row) => [row.orderId, row]));
  let nextDue = dueOf();

  function place(key: string, order: OutgoingOrder, at: Millis): Answer<OrderReceipt> {
    const account = admittedTo(house, key, "conversion");
    if (!account.ok) return account;
    if (house.faults.delistChance > 0 || house.faults.precisionChance > 0) disturb(order.symbol, at);
    const pair = house.pairs.get(order.symbol);
    if (pair === undefined || pair.status !== "online")
      return refused("unknown_symbol", `symbol must be a tradable pair, was ${shown(order.symbol)}`);
    const orderId = `${1_000_000 + ++count}`;
    const delay = chance.delayMs("execution-delay", house.faults.executionDelay);
    if (delay > 0) {
      const executesAt = millis(at + delay);
      executing.push({ key, orderId, order, executesAt });
      nextDue = dueOf();
      return { ok: true, value: { kind: "executing", orderId, executesAt } };
    }
    const booth = boothOf(account.value, pair);
    const row = execute(booth, order, orderId, at);
    if (chance.occurs("second-writer", house.faults.secondWriterChance)) tradeAsSomebodyElse(booth, at);
    return { ok: true, value: { kind: "done", order: asAnswered(row) } };
  }

  /** The answer may carry a word that no one knows; the history keeps the true one. */
  function asAnswered(row: OrderRow): OrderRow {
    return chance.occurs("unknown-status", house.faults.unknownStatusChance) ? { ...row, status: UNKNOWN_STATUS } : row;
  }

  function tradeAsSomebodyElse(booth: Booth, at: Millis): void {
    const { pair } = booth;
    const side: Side = chance.occurs("second-writer-side", 0.5) ? "buy" : "sell";
    const limit = dealer.price(pair, side, at);
    if (limit === undefined) return;
    const clientOrderId = `portal-${++foreignCount}` as ClientOrderId;
    const order = { clientOrderId, symbol: pair.symbol, side, quantity: pair.quantityMin, limit };
    execute(booth, order, `${1_000_000 + ++count}`, at);
  }

  function disturb(symbol: string, at: Millis): void {
    const pair = house.pairs.get(symbol);
    if (pair === undefined || pair.status !== "online") return;
    if (chance.occurs("delist", house.faults.delistChance)) {
      house.pairs.set(symbol, { ...pair, status: "offline" });
      delisted.push({ symbol, until: millis(at + house.faults.delistMs) });
      nextDue = dueOf();
    } else if (chance.occurs("precision", house.faults.precisionChance)) {
      const original = precision.get(symbol);
      if (original === undefined) precision.set(symbol, pair.quantityDecimals);
      else precision.delete(symbol);
      house.pairs.set(symbol, { ...pair, quantityDecimals: original ?? Math.max(0, pair.quantityDecimals - 1) });
    }
  }

  function dueOf(): number {
    let due = Number.POSITIVE_INFINITY;
    for (const { executesAt } of executing) due = Math.min(due, executesAt);
    for (const { until } of delisted) due = Math.min(due, until);
    return due;
  }

  function executeLate({ key, orderId, order, executesAt }: Executing): void {
    const account = house.accounts.get(key);
    const pair = house.pairs.get(order.symbol);
    if (account === undefined || pair === undefined) return;
    late.set(orderId, asAnswered(execute(boothOf(account, pair), order, orderId, executesAt)));
    if (late.size > LATE_MAX) late.delete(late.keys().next().value as string);
  }

  return {
    add(key, form, at) {
      // Whose order it is comes before what it says, as for mints and rails.
      const account = admittedTo(house, key, "conversion");
      if (!account.ok) return account;
      const order = readOrder(form, at, settings.orderAgeMsMax);
      return order.ok ? place(key, order.value, at) : order;
    },
    place,
    outcome: (orderId) => late.get(orderId),
    isDue: (at) => at >= nextDue,
    advance(at) {
      if (at < nextDue) return;
      const due = executing.filter(({ executesAt }) => executesAt <= at);
      executing = executing.filter(({ executesAt }) => executesAt > at);
      due.sort((a, b) => a.executesAt - b.executesAt);
      for (const one of due) executeLate(one);
      for (const { symbol, until } of delisted) {
        const pair = house.pairs.get(symbol);
        if (until <= at && pair !== undefined) house.pairs.set(symbol, { ...pair, status: "online" });
      }
      delisted = delisted.filter(({ until }) => until > at);
      nextDue = dueOf();
    },
    save: () => ({
      count,
      foreignCount,
      executing,
      late: [...late.values()],
      delisted,
      precision: [...precision].map(([symbol, decimals]) => ({ symbol, decimals })),
    }),
  };
}
