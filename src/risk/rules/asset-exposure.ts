// RC03: value held of one asset, as if every open order that brings it filled and none that takes it. The currency of the
// limits is no exposure. Orders are made smaller to fit; those that only take of an asset pass.

import type { Money } from "../../domain/money/money.ts";
import { capBought, isExposure } from "../cap.ts";
import { PASS, type Rule } from "../rule.ts";
import { isIn, refusalOf, refuseUnknown, shown } from "../ruling.ts";

export function assetExposure(max: Money): Rule {
  return {
    code: "RC03",
    review(order, { accounts, pricing }) {
      const { bought, incoming } = order;
      if (!isExposure(bought, max.asset)) return PASS;
      const rate = pricing.rate(bought);
      const value = pricing.exposure(bought);
      if (!isIn(value, max.asset) || rate === undefined || incoming === undefined) {
        const isHeld = isIn(accounts.heldAtMost(bought), bought);
        return refuseUnknown("RC03", `${isHeld ? "value of" : "position in"} ${bought}`, shown(max));
      }
      if (max.covers(value, incoming)) return PASS;
      return capBought(order, max.minus(value), rate, () =>
        refusalOf("RC03", `${bought} would be worth`, shown(value.plus(incoming)), shown(max)),
      );
    },
  };
}
