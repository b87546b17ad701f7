// One attempt at an order, at one moment: it fills completely at the dealer's price and the money moves, or it is killed
// and nothing does. Either way it goes into the histories.

import type { Asset } from "../../domain/asset.ts";
import { Money, Price } from "../../domain/money/money.ts";
import { millis } from "../../domain/time.ts";
import type { Dealer } from "./dealer.ts";
import { remember } from "./history.ts";
import type { House } from "./house.ts";
import { type Attempt, feeOf, fillPrice } from "./order-rule.ts";
import type { OrderRow } from "./record.ts";
import type { OrderError } from "./refusal.ts";

export function createExecution(house: House, dealer: Dealer): (attempt: Attempt) => OrderRow {
  const { settings, ledger, pockets, chance } = house;

  function filled(attempt: Attempt, price: Price): OrderRow {
    const { account, pair, order, orderId, at } = attempt;
    const isBuy = order.side === "buy";
    const base = order.quantity.of(pair.base);
    const quote = price.times(order.quantity, pair.quote, isBuy ? "up" : "down");
    const bought = isBuy ? base : quote;
    const sold = isBuy ? quote : base;
    const fee = pair.feeBps === 0 ? zeroOf(pair.quote) : feeOf(pair, quote);
    const cause = { what: "trade", reference: orderId, at };
    ledger.move(account.available(sold.asset), pockets.dealer(sold.asset), sold, cause);
    ledger.move(pockets.dealer(bought.asset), account.available(bought.asset), bought, cause);
    ledger.move(account.available(fee.asset), pockets.fees(fee.asset), fee, cause);
    dealer.take(pair, order.side, order.quantity, at);
    const row = rowOf(attempt, { status: "Filled", bought, sold, fee, price, error: undefined });
    account.orders = remember(account.orders, row, settings.historyRetainedMax);
    account.trades = remember(account.trades, row, settings.historyRetainedMax);
    return row;
  }

  function killed(attempt: Attempt, error: OrderError): OrderRow {
    const { account, pair, order } = attempt;
    const base = zeroOf(pair.base);
    const quote = zeroOf(pair.quote);
    const [bought, sold] = order.side === "buy" ? [base, quote] : [quote, base];
    const row = rowOf(attempt, { status: "Rejected", bought, sold, fee: quote, price: undefined, error });
    if (settings.killedOrdersListed) account.orders = remember(account.orders, row, settings.historyRetainedMax);
    return row;
  }

  type Outcome = Pick<OrderRow, "status" | "bought" | "sold" | "fee" | "price" | "error">;

  // Field by field: this is the inner loop of backtests, and a spread costs more than all the rest of it.
  function rowOf({ order, orderId, at }: Attempt, { status, bought, sold, fee, price, error }: Outcome): OrderRow {
    return {
      clientOrderId: order.clientOrderId,
      orderId,
      symbol: order.symbol,
      side: order.side,
      quantity: order.quantity,
      limit: order.limit,
      status,
      bought,
      sold,
      fee,
      price,
      error,
      at,
      publishedAt: millis(at + chance.delayMs("publication-delay", house.faults.publicationDelay)),
    };
  }

  return (attempt) => {
    const price = fillPrice(house, dealer, attempt);
    if (settings.duplicateClientOrderId === "refuse")
      noteId(attempt.account.clientOrderIds, attempt.order.clientOrderId);
    return price instanceof Price ? filled(attempt, price) : killed(attempt, price);
  };
}

/** Ids that are known for refusing them a second time, per account. */
const IDS_MAX = 100_000;

function noteId(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size > IDS_MAX) ids.delete(ids.values().next().value as string);
}

const zeros = new Map<Asset, Money>();

function zeroOf(asset: Asset): Money {
  let zero = zeros.get(asset);
  if (zero === undefined) {
    zero = Money.zero(asset);
    zeros.set(asset, zero);
  }
  return zero;
}
