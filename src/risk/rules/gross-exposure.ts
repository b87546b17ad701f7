// RC04: value held of all assets but the currency of the limits, each as if every open order that brings it filled and none
// that takes it. Orders are made smaller to fit.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { capBought, incoming, isExposure } from "../bought.ts";
import { PASS, type RiskContext, type Rule } from "../rule.ts";
import { isIn, refusalOf, refuseUnknown, shown } from "../ruling.ts";

export function grossExposure(max: Money): Rule {
  const zero = Money.zero(max.asset);
  return {
    code: "RC04",
    review(order, context) {
      const { bought } = order;
      if (!isExposure(bought, max.asset)) return PASS;
      const rate = context.pricing.rate(bought);
      if (rate === undefined) return refuseUnknown("RC04", `value of ${bought}`, shown(max));
      let gross = zero;
      for (const asset of context.accounts.assets) {
        const value = exposureIn(asset, zero, context);
        if (value === undefined) return refuseUnknown("RC04", `value of ${asset}`, shown(max));
        gross = gross.plus(value);
      }
      return capBought(order, max.minus(gross).exchanged(rate, bought, "down"), () => {
        const after = gross.plus(incoming(order).valued(rate, max.asset, "up"));
        return refusalOf("RC04", "all assets would be worth", shown(after), shown(max));
      });
    },
  };
}

/** What is not held needs no price. */
function exposureIn(asset: Asset, zero: Money, { accounts, pricing }: RiskContext): Money | undefined {
  if (!isExposure(asset, zero.asset)) return zero;
  const held = accounts.heldAtMost(asset);
  if (!isIn(held, asset)) return undefined;
  if (held.isZero()) return zero;
  const rate = pricing.rate(asset);
  return rate && held.size().valued(rate, zero.asset, "up");
}
