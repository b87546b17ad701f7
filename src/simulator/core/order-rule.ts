// What an order must satisfy before it may fill, in the order in which the operator looks: its grid, its size, the price
// band, the money at its limit, then price and size of the dealer. The first rule that fails names the error.

import type { Money, Price } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { OutgoingOrder } from "../../exchange/port.ts";
import type { Account } from "./account.ts";
import type { Dealer } from "./dealer.ts";
import { type House, QUANTITY_MAX } from "./house.ts";
import type { Pair } from "./record.ts";
import type { OrderError, OrderErrorCode } from "./refusal.ts";

export type Attempt = {
  readonly account: Account;
  readonly pair: Pair;
  readonly orderId: string;
  readonly order: OutgoingOrder;
  readonly at: Millis;
};

/** The dealer's price at which the order fills, or why it does not. */
export function fillPrice(house: House, dealer: Dealer, { account, pair, order, at }: Attempt): Price | OrderError {
  const { side, quantity, limit } = order;
  if (house.settings.duplicateClientOrderId === "refuse" && account.clientOrderIds.has(order.clientOrderId))
    return error("duplicate_clordid", `clordid must be new, was ${order.clientOrderId}`);
  if (!quantity.fits(pair.quantityDecimals))
    return error("too_many_decimals", `orderqty must have at most ${pair.quantityDecimals} decimals, was ${quantity}`);
  if (!limit.fits(pair.priceDecimals))
    return error("too_many_decimals", `price must have at most ${pair.priceDecimals} decimals, was ${limit}`);
  if (quantity.lessThan(pair.quantityMin))
    return error("min_order_size", `orderqty must be at least ${pair.quantityMin}, was ${quantity}`);
  const price = dealer.price(pair, side, at);
  if (price === undefined) return error("market_closed", `there is no price of ${pair.symbol} now`);
  const band = house.settings.priceBandBps;
  const isMarketable = side === "buy" ? price.atMost(limit) : price.atLeast(limit);
  // Above the price a limit can only break the upper end of the band, below it the lower one.
  const isOutside = limit.atLeast(price)
    ? limit.moreThan(price.shifted(band, "down"))
    : limit.lessThan(price.shifted(-band, "up"));
  if (isOutside)
    return error("limit_too_far_from_market_price", `price must be within ${band} bp of ${price}, was ${limit}`);
  if (quantity.moreThan(QUANTITY_MAX)) return error("insufficient_funds", `orderqty must be at most ${QUANTITY_MAX}`);
  const needed = spendAtLimit(pair, order);
  if (needed.moreThan(account.available(needed.asset).amount))
    return error("insufficient_funds", `order needs ${needed} ${needed.asset}, more than is available`);
  if (!isMarketable) return error(house.settings.fokErrorCode, NOT_REACHED);
  const size = dealer.size(pair, side, at);
  if (quantity.moreThan(size))
    return error(house.settings.fokErrorCode, `orderqty ${quantity} is more than the ${size} at ${price}`);
  if (pair.feeBps > 0 && side === "sell" && !coversFee(account, pair, price.times(quantity, pair.quote, "down")))
    return error("insufficient_funds", "order does not bring its own fee, and there is nothing else to pay it from");
  return price;
}

/** A fee is rounded up: that of a crumb can be more than the crumb. */
function coversFee(account: Account, pair: Pair, proceeds: Money): boolean {
  return account.available(pair.quote).amount.plus(proceeds).atLeast(feeOf(pair, proceeds));
}

/** The one error that is met all the time: no text is made for it. */
export const NOT_REACHED = "the order could not be filled completely: its price does not reach the market's";

/** A buy must be covered at its limit, fee included; a sell needs the base (its fee comes out of what it brings). */
function spendAtLimit(pair: Pair, { side, quantity, limit }: OutgoingOrder): Money {
  if (side === "sell") return quantity.of(pair.base);
  const cost = limit.times(quantity, pair.quote, "up");
  return pair.feeBps === 0 ? cost : cost.plus(feeOf(pair, cost));
}

/** Of the quote amount, rounded up to a grid that every asset has. */
export function feeOf(pair: Pair, quoteAmount: Money): Money {
  return quoteAmount.share(pair.feeBps, "up").rounded(8, "up");
}

function error(code: OrderErrorCode, message: string): OrderError {
  return { code, message };
}
