// What counts as evidence about an order: the trade history decides, the order history supports, the balances vote. "Not
// found" counts only in an answer that provably reaches back to before the order.

import { fillInconsistency } from "../domain/fill-consistency.ts";
import type { Fill } from "../domain/order.ts";
import type { OrderIntent } from "../domain/step.ts";
import type { StopCause } from "../domain/stop-cause.ts";
import type { OrderRecord, TradeRecord } from "../exchange/port.ts";
import type { Vote } from "./balance-vote.ts";
import { describeFill } from "./receipt.ts";
import type { Finding } from "./submission.ts";

/**
 * The last record of ours before the doubtful order that a history is known to have. A list that is cut off, from
 * whichever end, lacks it. `none`: the account provably has no earlier one.
 */
export type Sentinel =
  | { readonly kind: "record"; readonly clientOrderId: string }
  | { readonly kind: "none" }
  | { readonly kind: "unknown" };

export type OrderTestimony = {
  readonly trades: readonly TradeRecord[];
  readonly tradeSentinel: Sentinel;
  readonly orders: readonly OrderRecord[];
  readonly orderSentinel: Sentinel;
  readonly vote: Vote;
};

/** What a split shows where the balances differ by what nothing explains. */
export const UNEXPLAINED = "unexplained";

export function judgeOrder(order: OrderIntent, testimony: OrderTestimony): Finding<Fill> {
  const { trades, orders, vote } = testimony;
  const record = orders.find(({ clientOrderId }) => clientOrderId === order.clientOrderId);
  const traded = judgeTrades(order, trades, testimony.tradeSentinel);
  if (traded.kind === "landed" && record?.status === "Rejected")
    return contradiction("rejected", `trades show ${describeFill(traded.receipt)}; orders show it as Rejected`);
  if (traded.kind === "landed" || traded.kind === "contradiction" || traded.kind === "split") return traded;
  if (record !== undefined && record.status !== "Rejected")
    return split("untraded", `trades do not show it; orders show it as ${record.status ?? "of no status"}`);
  if (vote.kind === "landed")
    return split("untraded", "trades do not show it; the balances are explained only with it");
  if (vote.kind === "unexplained") return split(UNEXPLAINED, vote.reason, "balances");
  if (traded.kind === "silent") return traded;
  if (record === undefined && !reachesBack(orders, testimony.orderSentinel))
    return silent("the order history may be cut off: the last order of ours before it is missing");
  if (vote.kind === "none") return silent(vote.reason);
  return record?.status === undefined ? { kind: "absent" } : { kind: "absent", listedAs: record.status };
}

/** The trade history alone: enough to confirm, never enough to free. */
export function judgeTrades(order: OrderIntent, trades: readonly TradeRecord[], sentinel: Sentinel): Finding<Fill> {
  const [first, ...more] = trades.filter((row) => row.clientOrderId === order.clientOrderId);
  if (first !== undefined) return judgeFills(order, first, more);
  const nameless = trades.find((row) => row.clientOrderId === undefined && fitsOrder(order, row));
  if (nameless !== undefined)
    return split("nameless", `trade ${nameless.tradeId ?? nameless.orderId} has no client order id and fits`);
  return reachesBack(trades, sentinel)
    ? { kind: "absent" }
    : silent("the trade history may be cut off: the last trade of ours before it is missing");
}

/** Trades that are this order's, whatever they call it. */
export function judgeFills(order: OrderIntent, first: TradeRecord, more: readonly TradeRecord[]): Finding<Fill> {
  const fill = fillOf(order, first);
  for (let i = 0; i < more.length; i++) {
    const other = fillOf(order, more[i] as TradeRecord);
    if (!isSame(other, fill))
      return contradiction("twice", `an order fills once; trades show ${shown(fill)} and ${shown(other)}`);
  }
  return judgeTrade(order, fill, first.status);
}

/** Words of the venue under which a listed trade has happened; no word at all is one of them. */
const TRADED: ReadonlySet<string | undefined> = new Set([undefined, "Filled", "filled", "settled", "completed"]);

function judgeTrade(order: OrderIntent, fill: Fill, status: string | undefined): Finding<Fill> {
  const problem = misfit(order, fill);
  if (problem !== undefined) return contradiction("misfit", `trades show ${shown(fill)}, but ${problem}`);
  return TRADED.has(status)
    ? { kind: "landed", receipt: fill }
    : split("status", `trades show it with status ${status}`);
}

/** Could this trade be the order's fill, by all that it says? */
export function fitsOrder(order: OrderIntent, row: TradeRecord): boolean {
  return misfit(order, row) === undefined;
}

function misfit(
  order: OrderIntent,
  row: Pick<Fill, "symbol" | "side" | "bought" | "sold" | "fee">,
): string | undefined {
  const { symbol, side } = order;
  return row.symbol === symbol && row.side === side
    ? fillInconsistency(order, row)
    : `it must be a ${side} of ${symbol}, was a ${row.side} of ${row.symbol}`;
}

function reachesBack(rows: readonly { readonly clientOrderId: string | undefined }[], sentinel: Sentinel): boolean {
  if (sentinel.kind !== "record") return sentinel.kind === "none";
  return rows.some(({ clientOrderId }) => clientOrderId === sentinel.clientOrderId);
}

function fillOf({ clientOrderId }: OrderIntent, row: TradeRecord): Fill {
  const { orderId, tradeId, symbol, side, bought, sold, fee, at } = row;
  return { clientOrderId, orderId, tradeId, symbol, side, bought, sold, fee, at };
}

/** The same row twice, as paging may give it, is one trade. */
function isSame(one: Fill, other: Fill): boolean {
  return one.tradeId === other.tradeId && describeFill(one) === describeFill(other);
}

function shown(fill: Fill): string {
  return `trade ${fill.tradeId ?? "of no id"} of ${describeFill(fill)}`;
}

function silent(reason: string): Finding<never> {
  return { kind: "silent", reason };
}

function split(shows: string, reason: string, cause: StopCause = "contradiction"): Finding<never> {
  return { kind: "split", shows, reason, cause };
}

function contradiction(shows: string, reason: string): Finding<never> {
  return { kind: "contradiction", shows, reason, cause: "contradiction" };
}
