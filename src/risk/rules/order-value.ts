// RC01: what one order may be worth, in the currency of the limits. Hard: an order too large is a mistake somewhere, so it
// is refused and not made smaller.

import type { Money } from "../../domain/money/money.ts";
import { PASS, type Rule } from "../rule.ts";
import { isIn, refuse, refuseUnknown, shown } from "../ruling.ts";

export function orderValue(max: Money): Rule {
  return {
    code: "RC01",
    review({ value }) {
      if (!isIn(value, max.asset)) return refuseUnknown("RC01", "value of the order", shown(max));
      return value.atMost(max) ? PASS : refuse("RC01", "order is worth", shown(value), shown(max));
    },
  };
}
