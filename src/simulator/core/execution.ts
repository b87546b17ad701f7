// One attempt at an order at one moment: it fills completely at the dealer's price and the money moves, or it is
// rejected and nothing moves. Either way it enters the histories. The checks run in the operator's order: grid, size,
// price band, funds at the limit, then the dealer's price and size. The first failing check names the error.

import { Money, type Price, type Quantity } from "../../domain/money/money.ts";
import type { Side } from "../../domain/order.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { OutgoingOrder } from "../../exchange/port.ts";
import type { Dealer } from "./dealer.ts";
import type { OrderRow, Pair, TradeRow } from "./record.ts";
import type { OrderError, OrderErrorCode } from "./refusal.ts";
import { QUANTITY_MAX, type Trader, type VenueCore } from "./venue-core.ts";

/** The terms of a fill: the dealer's price, the base and quote amounts, and the fee. */
type Deal = { readonly price: Price; readonly base: Money; readonly quote: Money; readonly fee: Money };

export class Execution {
  private readonly core: VenueCore;
  private readonly dealer: Dealer;
  private readonly bandBps: number;
  private readonly fokErrorCode: OrderErrorCode;
  private readonly isOnce: boolean;
  /** By far the most frequent error, so it is built only once. */
  private readonly notReached: OrderError;

  constructor(core: VenueCore, dealer: Dealer) {
    const { priceBandBps, fokErrorCode, duplicateClientOrderId } = core.settings;
    this.core = core;
    this.dealer = dealer;
    this.bandBps = priceBandBps;
    this.fokErrorCode = fokErrorCode;
    this.isOnce = duplicateClientOrderId === "refuse";
    this.notReached = error(fokErrorCode, NOT_REACHED);
  }

  attempt(trader: Trader, order: OutgoingOrder, orderId: string, at: Millis): OrderRow {
    const outcome = this.judge(trader, order, at);
    if (this.isOnce) noteId(trader.account.clientOrderIds, order.clientOrderId);
    return "code" in outcome
      ? this.rejected(trader, order, orderId, at, outcome)
      : this.filled(trader, order, orderId, at, outcome);
  }

  // Both rows are written field by field: this is the inner loop of backtests, and a spread would cost more than the
  // rest of it.
  private filled(trader: Trader, order: OutgoingOrder, orderId: string, at: Millis, deal: Deal): OrderRow {
    const { account, pair } = trader;
    const { ledger } = this.core;
    const { side } = order;
    const { base, quote, fee } = deal;
    const cause = { what: "trade", reference: orderId, at };
    if (side === "buy") {
      ledger.move(trader.quote, trader.dealerQuote, quote, cause);
      ledger.move(trader.dealerBase, trader.base, base, cause);
    } else {
      ledger.move(trader.base, trader.dealerBase, base, cause);
      ledger.move(trader.dealerQuote, trader.quote, quote, cause);
    }
    ledger.move(trader.quote, trader.fees, fee, cause);
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

  private rejected(trader: Trader, order: OutgoingOrder, orderId: string, at: Millis, error: OrderError): OrderRow {
    const [noBase, noQuote] = [Money.zero(trader.pair.base), Money.zero(trader.pair.quote)];
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
    if (this.core.settings.killedOrdersListed) trader.account.orders.add(row);
    return row;
  }

  private publishedAt(at: Millis): Millis {
    const { faults, chance } = this.core;
    const { publicationDelay } = faults;
    return publicationDelay.chance > 0 ? millis(at + chance.delayMs("publication-delay", publicationDelay)) : at;
  }

  /** The terms on which the order fills, or the error. */
  private judge(trader: Trader, order: OutgoingOrder, at: Millis): Deal | OrderError {
    const { pair } = trader;
    const { quantity, limit, side } = order;
    const { bandBps } = this;
    if (this.isOnce && trader.account.clientOrderIds.has(order.clientOrderId))
      return error("duplicate_clordid", `clordid must be new, was ${order.clientOrderId}`);
    const price = this.dealer.price(pair, side, at, quantity);
    const above = price === undefined ? 1 : limit.compare(price);
    if (!quantity.fits(pair.quantityDecimals)) return tooFine("orderqty", pair.quantityDecimals, quantity);
    // A limit equal to the dealer's price is on the grid already.
    if (above !== 0 && !limit.fits(pair.priceDecimals)) return tooFine("price", pair.priceDecimals, limit);
    if (quantity.lessThan(pair.quantityMin))
      return invalid(`orderqty must be at least ${pair.quantityMin}, was ${quantity}`);
    if (price === undefined) return invalid(`there is no price of ${pair.symbol} now`);
    if (above !== 0 && isOutside(limit, price, above, bandBps))
      return error("limit_too_far_from_market_price", `price must be within ${bandBps} bp of ${price}, was ${limit}`);
    const frozen = [pair.base, pair.quote].find((asset) => this.core.market.closure(asset, at) === "frozen");
    if (frozen !== undefined) return invalid(`balances of ${frozen} are frozen by its issuer`);
    if (quantity.moreThan(QUANTITY_MAX)) return invalid(`orderqty must be at most ${QUANTITY_MAX}`);
    const deal =
      side === "buy" ? this.bought(trader, order, at, price, above) : this.sold(trader, order, at, price, above);
    return "code" in deal || !this.isRefused(pair, side, at) ? deal : this.notReached;
  }

  /** The dealer's last look at an order that it could fill. */
  private isRefused(pair: Pair, side: Side, at: Millis): boolean {
    const { chance, settings } = this.core;
    const share = settings.dealing.refusedShare * this.dealer.wariness(pair, at);
    return chance.occurs("last-look", share) || this.dealer.refuses(pair, side, at);
  }

  /** The balance must cover a buy at its limit, including the fee. */
  private bought(trader: Trader, order: OutgoingOrder, at: Millis, price: Price, above: number): Deal | OrderError {
    const { pair } = trader;
    const { quantity } = order;
    const cost = order.limit.times(quantity, pair.quote, "up");
    const needed = cost.plus(feeOf(pair, cost));
    if (needed.moreThan(trader.quote.amount)) return tooLittle(needed);
    if (above < 0) return this.notReached;
    const left = this.dealer.size(pair, "buy", at);
    if (quantity.moreThan(left)) return this.tooThin(order, left, price);
    const paid = this.core.settings.fillsAt === "limit" ? order.limit : price;
    const quote = above === 0 ? cost : paid.times(quantity, pair.quote, "up");
    return { price: paid, base: quantity.of(pair.base), quote, fee: feeOf(pair, quote) };
  }

  /** A sell needs the base amount; its fee is paid from the proceeds. */
  private sold(trader: Trader, order: OutgoingOrder, at: Millis, price: Price, above: number): Deal | OrderError {
    const { pair } = trader;
    const { quantity } = order;
    const size = quantity.of(pair.base);
    if (size.moreThan(trader.base.amount)) return tooLittle(size);
    if (above > 0) return this.notReached;
    const left = this.dealer.size(pair, "sell", at);
    if (quantity.moreThan(left)) return this.tooThin(order, left, price);
    const paid = this.core.settings.fillsAt === "limit" ? order.limit : price;
    const quote = paid.times(quantity, pair.quote, "down");
    const fee = feeOf(pair, quote);
    // The fee is rounded up, so for a tiny order it can exceed the proceeds.
    if (trader.quote.amount.plus(quote).lessThan(fee))
      return invalid("order does not bring its own fee, and there is nothing else to pay it from");
    return { price: paid, base: size, quote, fee };
  }

  private tooThin({ quantity }: OutgoingOrder, left: Quantity, price: Price): OrderError {
    return error(this.fokErrorCode, `orderqty ${quantity} is more than the ${left} at ${price}`);
  }
}

export const NOT_REACHED = "the order could not be filled completely: its price does not reach the market's";

/** A limit above the price can only violate the upper end of the band, one below it the lower end. */
function isOutside(limit: Price, price: Price, above: number, bandBps: number): boolean {
  return above > 0 ? limit.moreThan(price.shifted(bandBps, "down")) : limit.lessThan(price.shifted(-bandBps, "up"));
}

/** A share of the quote amount, rounded up to a grid that every asset has. */
function feeOf(pair: Pair, quoteAmount: Money): Money {
  return quoteAmount.share(pair.feeBps, "up").rounded(8, "up");
}

function tooFine(field: string, decimals: number, value: Price | Quantity): OrderError {
  return invalid(`${field} must have at most ${decimals} decimals, was ${value}`);
}

function tooLittle(needed: Money): OrderError {
  return invalid(`order needs ${needed} ${needed.asset}, more than is available`);
}

/** The interface has no separate code for these errors; the message names the rule. */
function invalid(message: string): OrderError {
  return error("invalid_order", message);
}

function error(code: OrderErrorCode, message: string): OrderError {
  return { code, message };
}

/** The client order ids remembered per account, to refuse duplicates. */
const IDS_MAX = 100_000;

function noteId(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size > IDS_MAX) ids.delete(ids.values().next().value as string);
}
