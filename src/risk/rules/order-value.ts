// RC01: value of one order in the currency of the limits. An order too large is cut down to it.

import type { Money } from "../../domain/money/money.ts";
import { capValue } from "../cap.ts";
import { PASS, type Rule } from "../rule.ts";
import { isIn, refusalOf, refuseUnknown, shown } from "../ruling.ts";

export function orderValue(max: Money): Rule {
  return {
    code: "RC01",
    review(order, { pricing }) {
      const { value } = order;
      if (!isIn(value, max.asset)) return refuseUnknown("RC01", "value of the order", shown(max));
      if (value.atMost(max)) return PASS;
      const ruling = capValue(order, max, pricing, () => refusalOf("RC01", "order is worth", shown(value), shown(max)));
      return { ...ruling, ofOneOrder: true };
    },
  };
}
