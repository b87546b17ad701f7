// One attempt at an order, at one moment: it fills completely at the dealer's price and the money moves, or it is rejected
// and nothing does. Either way it goes into the histories.

import { Money } from "../../domain/money/money.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { OutgoingOrder } from "../../exchange/port.ts";
import type { Booth } from "./booth.ts";
import type { Dealer } from "./dealer.ts";
import type { House } from "./house.ts";
import type { Ledger } from "./ledger.ts";
import { type Deal, OrderRule } from "./order-rule.ts";
import type { OrderRow, TradeRow } from "./record.ts";
import type { OrderError } from "./refusal.ts";

export class Execution {
  private readonly house: House;
  private readonly ledger: Ledger;
  private readonly dealer: Dealer;
  private readonly rule: OrderRule;

  constructor(house: House, dealer: Dealer) {
    this.house = house;
    this.ledger = house.ledger;
    this.dealer = dealer;
    this.rule = new OrderRule(house, dealer);
  }

  attempt(booth: Booth, order: OutgoingOrder, orderId: string, at: Millis): OrderRow {
    const outcome = this.rule.judge(booth, order, at);
    if (this.house.settings.duplicateClientOrderId === "refuse")
      noteId(booth.account.clientOrderIds, order.clientOrderId);
    return "code" in outcome
      ? this.rejected(booth, order, orderId, at, outcome)
      : this.filled(booth, order, orderId, at, outcome);
  }

  // Both rows field by field: this is the inner loop of backtests, and a spread costs more than all the rest of it.
  private filled(booth: Booth, order: OutgoingOrder, orderId: string, at: Millis, deal: Deal): OrderRow {
    const { account, pair } = booth;
    const { ledger } = this;
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
    this.dealer.take(pair, side, order.quantity, at);
    const row: TradeRow = {
      clientOrderId: order.clientOrderId,
      orderId,
      tradeId: `T${orderId}`,
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
      publishedAt: this.publishedAt(at),
    };
    account.orders.add(row);
    account.trades.add(row);
    return row;
  }

  private rejected(booth: Booth, order: OutgoingOrder, orderId: string, at: Millis, error: OrderError): OrderRow {
    const [noBase, noQuote] = [Money.zero(booth.pair.base), Money.zero(booth.pair.quote)];
    const row: OrderRow = {
      clientOrderId: order.clientOrderId,
      orderId,
      tradeId: undefined,
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
      publishedAt: this.publishedAt(at),
    };
    if (this.house.settings.killedOrdersListed) booth.account.orders.add(row);
    return row;
  }

  private publishedAt(at: Millis): Millis {
    const { faults, chance } = this.house;
    const { publicationDelay } = faults;
    return publicationDelay.chance > 0 ? millis(at + chance.delayMs("publication-delay", publicationDelay)) : at;
  }
}

/** Ids that are known for refusing them a second time, per account. */
const IDS_MAX = 100_000;

function noteId(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size > IDS_MAX) ids.delete(ids.values().next().value as string);
}
