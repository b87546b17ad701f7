// One attempt at an order, at one moment: it fills completely at the dealer's price and the money moves, or it is killed
// and nothing does. Either way it goes into the histories.

import { type Millis, millis } from "../../domain/time.ts";
import type { OutgoingOrder } from "../../exchange/port.ts";
import type { Booth } from "./booth.ts";
import type { Dealer } from "./dealer.ts";
import type { House } from "./house.ts";
import { createOrderRule, Deal } from "./order-rule.ts";
import type { OrderRow } from "./record.ts";
import type { OrderError } from "./refusal.ts";

export type Execute = (booth: Booth, order: OutgoingOrder, orderId: string, at: Millis) => OrderRow;

export function createExecution(house: House, dealer: Dealer): Execute {
  const { settings, ledger, chance } = house;
  const judge = createOrderRule(house, dealer);

  // Both rows field by field: this is the inner loop of backtests, and a spread costs more than all the rest of it.
  function filled(booth: Booth, order: OutgoingOrder, orderId: string, at: Millis, deal: Deal): OrderRow {
    const { account, pair } = booth;
    const { side } = order;
    const { base, quote, fee } = deal;
    const cause = { what: "trade", reference: orderId, at };
    if (side === "buy") {
      ledger.move(booth.quote, booth.dealerQuote, quote, cause);
      ledger.move(booth.dealerBase, booth.base, base, cause);
    } else {
      ledger.move(booth.base, booth.dealerBase, base, cause);
      ledger.move(booth.dealerQuote, booth.quote, quote, cause);
    }
    ledger.move(booth.quote, booth.fees, fee, cause);
    dealer.take(pair, side, order.quantity, at);
    const row: OrderRow = {
      clientOrderId: order.clientOrderId,
      orderId,
      symbol: order.symbol,
      side,
      quantity: order.quantity,
      limit: order.limit,
      status: "Filled",
      bought: side === "buy" ? base : quote,
      sold: side === "buy" ? quote : base,
      fee,
      price: deal.price,
      error: undefined,
      at,
      publishedAt: publishedAt(at),
    };
    account.orders.add(row);
    account.trades.add(row);
    return row;
  }

  function killed(booth: Booth, order: OutgoingOrder, orderId: string, at: Millis, error: OrderError): OrderRow {
    const { noBase, noQuote } = booth;
    const row: OrderRow = {
      clientOrderId: order.clientOrderId,
      orderId,
      symbol: order.symbol,
      side: order.side,
      quantity: order.quantity,
      limit: order.limit,
      status: "Rejected",
      bought: order.side === "buy" ? noBase : noQuote,
      sold: order.side === "buy" ? noQuote : noBase,
      fee: noQuote,
      price: undefined,
      error,
      at,
      publishedAt: publishedAt(at),
    };
    if (settings.killedOrdersListed) booth.account.orders.add(row);
    return row;
  }

  function publishedAt(at: Millis): Millis {
    const { publicationDelay } = house.faults;
    return publicationDelay.chance > 0 ? millis(at + chance.delayMs("publication-delay", publicationDelay)) : at;
  }

  return (booth, order, orderId, at) => {
    const outcome = judge(booth, order, at);
    if (settings.duplicateClientOrderId === "refuse") noteId(booth.account.clientOrderIds, order.clientOrderId);
    return outcome instanceof Deal
      ? filled(booth, order, orderId, at, outcome)
      : killed(booth, order, orderId, at, outcome);
  };
}

/** Ids that are known for refusing them a second time, per account. */
const IDS_MAX = 100_000;

function noteId(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size > IDS_MAX) ids.delete(ids.values().next().value as string);
}
