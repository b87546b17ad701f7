// Checks that a fill agrees with its order. Every reader of a fill (the answer to an order, or history) calls it before
// anything is booked; on a reason it books nothing, stops, and shows both.

import { assetsOf } from "./asset.ts";
import { Money, Price } from "./money/money.ts";
import { notionalOf } from "./notional.ts";
import { type Fill, legs, type OrderRequest } from "./order.ts";

/** A larger fee share of the traded amount is implausible. */
const FEE_SHARE_MAX = Price.of("0.05");
/** Amounts are stated to at least two decimals: 99 is 99.00 without its zeros. */
const STATED_DECIMALS_MIN = 2;

export function fillInconsistency(order: OrderRequest, fill: Legs): string | undefined {
  const { base, quote } = assetsOf(order.symbol);
  const { bought, sold } = fill;
  const isBuy = order.side === "buy";
  if (bought.asset !== (isBuy ? base : quote) || sold.asset !== (isBuy ? quote : base)) {
    const expected = legs(order.side, base, quote);
    return `a ${order.side} of ${order.symbol} must give ${expected.bought} for ${expected.sold}, was ${bought.asset} for ${sold.asset}`;
  }
  if (bought.isNegative() || sold.isNegative())
    return `amounts of a fill must not be negative, was ${bought} ${bought.asset} for ${sold} ${sold.asset}`;
  // The fee first: with a small fee the sums below stay within bounds, whatever the venue sent.
  return feeProblem(fill) ?? quantityProblem(order, fill) ?? priceProblem(order, fill);
}

type Legs = Pick<Fill, "bought" | "sold" | "fee">;

function feeProblem({ bought, sold, fee }: Legs): string | undefined {
  if (fee.isZero()) return undefined;
  if (fee.isNegative()) return `fee must not be negative, was ${fee}`;
  const leg = fee.asset === bought.asset ? bought : fee.asset === sold.asset ? sold : undefined;
  if (leg === undefined) return `fee must be in ${bought.asset} or ${sold.asset}, was in ${fee.asset}`;
  const most = leg.valued(FEE_SHARE_MAX, leg.asset, "down");
  return fee.moreThan(most) ? `fee must be at most ${most} (5 % of ${leg}), was ${fee}` : undefined;
}

/** The base leg must be the ordered quantity; a fee in the bought asset may already be deducted. */
function quantityProblem({ side, quantity }: OrderRequest, { bought, sold, fee }: Legs): string | undefined {
  const leg = side === "buy" ? bought : sold;
  if (quantity.isSizeOf(leg)) return undefined;
  const net = side === "buy" && fee.asset === leg.asset && leg.equals(quantity.of(leg.asset).minus(fee));
  return net ? undefined : `filled quantity must be ${quantity}, was ${leg}`;
}

/** Not worse than the limit, except for rounding of the amounts that the venue states. */
function priceProblem(order: OrderRequest, { bought, sold, fee }: Legs): string | undefined {
  const { side, quantity, limit } = order;
  const worth = notionalOf(order);
  if (side === "buy" ? sold.atMost(worth) : bought.atLeast(worth)) return undefined;
  if (side === "buy") {
    const most = worth.plus(lastDigitOf(sold));
    return sold.moreThan(most) ? `paid must be at most ${most} at limit ${limit}, was ${sold}` : undefined;
  }
  const value = limit.times(quantity, bought.asset, "down");
  const gross = value.minus(lastDigitOf(bought));
  // The fee may be deducted from the stated proceeds.
  const least = fee.asset === bought.asset ? gross.minus(fee) : gross;
  return bought.lessThan(least) ? `received must be at least ${least} at limit ${limit}, was ${bought}` : undefined;
}

/** One unit of the last stated digit, at most a hundredth, however large the order. */
export function lastDigitOf(amount: Money): Money {
  let decimals = STATED_DECIMALS_MIN;
  while (!amount.fits(decimals)) decimals += 1;
  return Money.ofSteps(1, decimals, amount.asset);
}
