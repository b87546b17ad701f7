// RC03: value held of one asset, as if every open order that brings it filled and none that takes it. The currency of the
// limits is no exposure. Orders are made smaller to fit; those that only take of an asset pass.

import type { Money } from "../../domain/money/money.ts";
import { Valuation } from "../../domain/money/valuation.ts";
import { capBought, isExposure } from "../bought.ts";
import { PASS, type Rule } from "../rule.ts";
import { isIn, refusalOf, refuseUnknown, shown } from "../ruling.ts";

export function assetExposure(max: Money): Rule {
  const values = new Valuation(max.asset, "up");
  return {
    code: "RC03",
    review(order, { accounts, pricing }) {
      const { bought, incoming } = order;
      if (!isExposure(bought, max.asset)) return PASS;
      const held = accounts.heldAtMost(bought);
      if (!isIn(held, bought)) return refuseUnknown("RC03", `position in ${bought}`, shown(max));
      const rate = pricing.rate(bought);
      if (rate === undefined || incoming === undefined) return refuseUnknown("RC03", `value of ${bought}`, shown(max));
      const value = values.of(held, rate);
      const after = value.plus(incoming);
      if (after.atMost(max)) return PASS;
      return capBought(order, max.minus(value), rate, () =>
        refusalOf("RC03", `${bought} would be worth`, shown(after), shown(max)),
      );
    },
  };
}
