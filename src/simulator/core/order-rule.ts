// What an order must satisfy before it may fill, in the order in which the operator looks: its grid, its size, the price
// band, the money at its limit, then price and size of the dealer. The first rule that fails names the error.

import type { Money, Price, Quantity } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { OutgoingOrder } from "../../exchange/port.ts";
import type { Booth } from "./booth.ts";
import type { Dealer } from "./dealer.ts";
import { type House, QUANTITY_MAX } from "./house.ts";
import type { Pair } from "./record.ts";
import type { OrderError, OrderErrorCode } from "./refusal.ts";

/** What an order fills at: the dealer's price, so much base for so much quote, and the fee beside them. */
export type Deal = { readonly price: Price; readonly base: Money; readonly quote: Money; readonly fee: Money };

export class OrderRule {
  private readonly dealer: Dealer;
  private readonly bandBps: number;
  private readonly fokErrorCode: OrderErrorCode;
  private readonly isOnce: boolean;
  /** The one error that is met all the time: nothing is made for it. */
  private readonly notReached: OrderError;

  constructor({ settings }: House, dealer: Dealer) {
    this.dealer = dealer;
    this.bandBps = settings.priceBandBps;
    this.fokErrorCode = settings.fokErrorCode;
    this.isOnce = settings.duplicateClientOrderId === "refuse";
    this.notReached = error(settings.fokErrorCode, NOT_REACHED);
  }

  /** The deal that an order makes, or why it makes none. */
  judge(booth: Booth, order: OutgoingOrder, at: Millis): Deal | OrderError {
    const { pair } = booth;
    const { quantity, limit, side } = order;
    const { bandBps } = this;
    if (this.isOnce && booth.account.clientOrderIds.has(order.clientOrderId))
      return error("duplicate_clordid", `clordid must be new, was ${order.clientOrderId}`);
    const price = this.dealer.price(pair, side, at);
    const above = price === undefined ? 1 : limit.compare(price);
    if (!quantity.fits(pair.quantityDecimals)) return tooFine("orderqty", pair.quantityDecimals, quantity);
    // The dealer's price is on the grid.
    if (above !== 0 && !limit.fits(pair.priceDecimals)) return tooFine("price", pair.priceDecimals, limit);
    if (quantity.lessThan(pair.quantityMin))
      return invalid(`orderqty must be at least ${pair.quantityMin}, was ${quantity}`);
    if (price === undefined) return invalid(`there is no price of ${pair.symbol} now`);
    if (above !== 0 && isOutside(limit, price, above, bandBps))
      return error("limit_too_far_from_market_price", `price must be within ${bandBps} bp of ${price}, was ${limit}`);
    if (quantity.moreThan(QUANTITY_MAX)) return invalid(`orderqty must be at most ${QUANTITY_MAX}`);
    return side === "buy" ? this.bought(booth, order, at, price, above) : this.sold(booth, order, at, price, above);
  }

  /** A buy must be covered at its limit, fee included. */
  private bought(booth: Booth, order: OutgoingOrder, at: Millis, price: Price, above: number): Deal | OrderError {
    const { pair } = booth;
    const { quantity } = order;
    const cost = order.limit.times(quantity, pair.quote, "up");
    const needed = cost.plus(feeOf(pair, cost));
    if (needed.moreThan(booth.quote.amount)) return tooLittle(needed);
    if (above < 0) return this.notReached;
    const left = this.dealer.size(pair, "buy", at);
    if (quantity.moreThan(left)) return this.tooThin(order, left, price);
    const quote = above === 0 ? cost : price.times(quantity, pair.quote, "up");
    return { price, base: quantity.of(pair.base), quote, fee: feeOf(pair, quote) };
  }

  /** A sell needs the base; its fee comes out of what it brings. */
  private sold(booth: Booth, order: OutgoingOrder, at: Millis, price: Price, above: number): Deal | OrderError {
    const { pair } = booth;
    const { quantity } = order;
    const size = quantity.of(pair.base);
    if (size.moreThan(booth.base.amount)) return tooLittle(size);
    if (above > 0) return this.notReached;
    const left = this.dealer.size(pair, "sell", at);
    if (quantity.moreThan(left)) return this.tooThin(order, left, price);
    const quote = price.times(quantity, pair.quote, "down");
    const fee = feeOf(pair, quote);
    // A fee is rounded up: that of a crumb can be more than the crumb.
    if (booth.quote.amount.plus(quote).lessThan(fee))
      return invalid("order does not bring its own fee, and there is nothing else to pay it from");
    return { price, base: size, quote, fee };
  }

  private tooThin({ quantity }: OutgoingOrder, left: Quantity, price: Price): OrderError {
    return error(this.fokErrorCode, `orderqty ${quantity} is more than the ${left} at ${price}`);
  }
}

export const NOT_REACHED = "the order could not be filled completely: its price does not reach the market's";

/** Above the price a limit can only break the upper end of the band, below it the lower one. */
function isOutside(limit: Price, price: Price, above: number, bandBps: number): boolean {
  return above > 0 ? limit.moreThan(price.shifted(bandBps, "down")) : limit.lessThan(price.shifted(-bandBps, "up"));
}

/** Of the quote amount, rounded up to a grid that every asset has. */
function feeOf(pair: Pair, quoteAmount: Money): Money {
  return quoteAmount.share(pair.feeBps, "up").rounded(8, "up");
}

function tooFine(field: string, decimals: number, value: Price | Quantity): OrderError {
  return invalid(`${field} must have at most ${decimals} decimals, was ${value}`);
}

function tooLittle(needed: Money): OrderError {
  return invalid(`order needs ${needed} ${needed.asset}, more than is available`);
}

/** The interface has no code of its own for these: the message says which rule it was. */
function invalid(message: string): OrderError {
  return error("invalid_order", message);
}

function error(code: OrderErrorCode, message: string): OrderError {
  return { code, message };
}
