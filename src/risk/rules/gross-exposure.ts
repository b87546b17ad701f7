// RC04: value held of all assets but the currency of the limits, each as if every open order that brings it filled and none
// that takes it. Orders are made smaller to fit.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { Valuation } from "../../domain/money/valuation.ts";
import { capBought, isExposure } from "../bought.ts";
import { PASS, type RiskContext, type Rule } from "../rule.ts";
import { isIn, refusalOf, refuseUnknown, shown } from "../ruling.ts";

export function grossExposure(max: Money): Rule {
  const zero = Money.zero(max.asset);
  const values = new Valuation(max.asset, "up");
  return {
    code: "RC04",
    review(order, context) {
      const { bought, incoming } = order;
      if (!isExposure(bought, max.asset)) return PASS;
      const rate = context.pricing.rate(bought);
      if (rate === undefined || incoming === undefined) return refuseUnknown("RC04", `value of ${bought}`, shown(max));
      let gross = zero;
      for (const asset of context.accounts.assets) {
        if (!isExposure(asset, max.asset)) continue;
        const value = exposureIn(asset, context, values, zero);
        if (value === undefined) return refuseUnknown("RC04", `value of ${asset}`, shown(max));
        gross = gross.plus(value);
      }
      const after = gross.plus(incoming);
      if (after.atMost(max)) return PASS;
      return capBought(order, max.minus(gross), rate, () =>
        refusalOf("RC04", "all assets would be worth", shown(after), shown(max)),
      );
    },
  };
}

/** What is not held needs no price. */
function exposureIn(
  asset: Asset,
  { accounts, pricing }: RiskContext,
  values: Valuation,
  zero: Money,
): Money | undefined {
  const held = accounts.heldAtMost(asset);
  if (!isIn(held, asset)) return undefined;
  if (held.isZero()) return zero;
  const rate = pricing.rate(asset);
  return rate && values.of(held.size(), rate);
}
