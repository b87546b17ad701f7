// RC04: value held of all assets but the currency of the limits, each as if every open order that brings it filled and none
// that takes it. Orders are made smaller to fit.

import type { Money } from "../../domain/money/money.ts";
import { capBought, isExposure } from "../cap.ts";
import { PASS, type RiskContext, type Rule } from "../rule.ts";
import { isIn, refusalOf, refuseUnknown, shown } from "../ruling.ts";

export function grossExposure(max: Money): Rule {
  return {
    code: "RC04",
    review(order, context) {
      const { bought, incoming } = order;
      if (!isExposure(bought, max.asset)) return PASS;
      const rate = context.pricing.rate(bought);
      if (rate === undefined || incoming === undefined) return refuseUnknown("RC04", `value of ${bought}`, shown(max));
      const gross = context.pricing.grossExposure();
      if (!isIn(gross, max.asset)) return refuseUnknown("RC04", `value of ${unknownIn(context)}`, shown(max));
      if (max.covers(gross, incoming)) return PASS;
      return capBought(order, max.minus(gross), rate, () =>
        refusalOf("RC04", "all assets would be worth", shown(gross.plus(incoming)), shown(max)),
      );
    },
  };
}

function unknownIn({ accounts, pricing }: RiskContext): string {
  const isUnknown = accounts.assets.find(
    (asset) => isExposure(asset, pricing.currency) && pricing.exposure(asset) === undefined,
  );
  return isUnknown ?? "all assets";
}
