// A fill that a person states because the venue's history does not show it. It is believed within what the balances are
// explained with while its order is in doubt: at the limit or so much better, with a fee of so much. A slipped decimal point is
// booked by nobody.

import { assetsOf } from "../domain/asset.ts";
import { type Money, Price } from "../domain/money/money.ts";
import type { Fill, OrderRequest } from "../domain/order.ts";
import { BETTER_BPS_MAX, bestPriceOf } from "./balance-vote.ts";

type Legs = Pick<Fill, "bought" | "sold" | "fee">;

/** Of a fill that is not worse than its limit. `feeBpsMax`: undefined where no limit is set. */
export function statedProblem(order: OrderRequest, fill: Legs, feeBpsMax: number | undefined): string | undefined {
  return priceProblem(order, fill) ?? (feeBpsMax === undefined ? undefined : feeProblem(fill, feeBpsMax));
}

/** What was paid or received, for each unit of what was ordered. */
export function impliedPrice({ side, quantity }: OrderRequest, { bought, sold }: Legs): string {
  const paid = side === "buy" ? sold : bought;
  return String(Price.implied(paid, quantity, "down")?.rounded(SHOWN_DECIMALS, "up") ?? 0);
}

const SHOWN_DECIMALS = 8;

function priceProblem(order: OrderRequest, fill: Legs): string | undefined {
  const { symbol, side, quantity, limit } = order;
  const isBuy = side === "buy";
  const best = bestPriceOf(order);
  const bound = best.times(quantity, assetsOf(symbol).quote, isBuy ? "down" : "up");
  if (isBuy ? fill.sold.atLeast(bound) : fill.bought.atMost(bound)) return undefined;
  const [what, direction] = isBuy ? ["paid", "least"] : ["received", "most"];
  const was = isBuy ? fill.sold : fill.bought;
  return `${what} must be at ${direction} ${bound} (${best}, ${BETTER_BPS_MAX / 100} % better than the limit ${limit}), was ${was}, a price of ${impliedPrice(order, fill)}`;
}

function feeProblem({ bought, sold, fee }: Legs, feeBpsMax: number): string | undefined {
  const leg: Money = fee.asset === bought.asset ? bought : sold;
  const most = leg.share(feeBpsMax, "up");
  return fee.isZero() || fee.atMost(most)
    ? undefined
    : `fee must be at most ${most} ${fee.asset} (risk.feeBpsMax, ${feeBpsMax} bp of ${leg}), was ${fee}`;
}
