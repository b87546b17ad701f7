// RC24 in REDUCED: an order goes out only if it reduces exposure. Of what it trades, all that is not the currency of the
// limits must move toward zero and not past it, whatever becomes of open orders. Orders are made smaller to fit. One long
// asset for another is no reduction: it would only swap the exposure. The gate has this rule whatever the limits say.

import type { Asset } from "../../domain/asset.ts";
import { type Money, Quantity } from "../../domain/money/money.ts";
import type { Refusal } from "../../domain/step.ts";
import { isExposure } from "../cap.ts";
import { stopped } from "../review-state.ts";
import { type Assessment, PASS, type RiskContext, type Rule } from "../rule.ts";
import { capTo, isIn } from "../ruling.ts";

const LIMIT = "only orders that reduce exposure";

export function reduceOnly(currency: Asset): Rule {
  return {
    code: "RC24",
    review(order, context) {
      if (context.books.standing.state !== "REDUCED") return PASS;
      const { sold, bought } = order;
      const refusal = () => stopped("RC24", LIMIT, context.books.standing);
      let most = order.quantity;
      if (isExposure(sold, currency)) {
        const long = context.accounts.heldAtLeast(sold);
        if (!isIn(long, sold) || !long.isPositive()) return { kind: "refuse", refusal: refusal() };
        most = most.min(order.side === "sell" ? sizeOf(long) : Quantity.affordable(long, order.limit));
      }
      if (isExposure(bought, currency)) {
        const short = context.accounts.heldAtMost(bought)?.negated();
        if (!isIn(short, bought) || !short.isPositive()) return { kind: "refuse", refusal: refusal() };
        most = most.min(order.side === "buy" ? sizeOf(short) : Quantity.affordable(short, order.limit));
      }
      return capTo(most, order, refusal);
    },
  };
}

/** Of an order that waits for its slot, so is among the open orders already: with it nothing is past zero. */
export function stillReduces(
  order: Assessment,
  currency: Asset,
  { accounts, books }: RiskContext,
): Refusal | undefined {
  if (books.standing.state !== "REDUCED") return undefined;
  const { sold, bought } = order;
  const left = accounts.heldAtLeast(sold);
  const debt = accounts.heldAtMost(bought);
  const sells = !isExposure(sold, currency) || (isIn(left, sold) && !left.isNegative());
  const buysBack = !isExposure(bought, currency) || (isIn(debt, bought) && !debt.isPositive());
  return sells && buysBack ? undefined : stopped("RC24", LIMIT, books.standing);
}

function sizeOf(amount: Money): Quantity {
  return Quantity.ofMoney(amount) ?? Quantity.zero;
}
