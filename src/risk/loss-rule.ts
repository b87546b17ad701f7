// A loss against some base, in basis points of it. Beyond the limit nothing is approved, and the bot halts until a person
// resumes; while the loss cannot be told, nothing is approved either.

import type { Money } from "../domain/money/money.ts";
import { PASS, type RiskContext, type Rule } from "./rule.ts";
import { halted, refuse, refuseUnknown, shown } from "./ruling.ts";

type Loss = { readonly loss: Money; readonly base: Money };

export function lossRule(
  code: string,
  what: string,
  maxBps: number,
  measure: (context: RiskContext) => Loss | undefined,
): Rule {
  // The base changes once a day or less, and is asked for with every order.
  let base: Money | undefined;
  let most: Money | undefined;
  const mostOf = (current: Money): Money => {
    if (most === undefined || current !== base) most = current.share(maxBps, "down");
    base = current;
    return most;
  };
  return {
    code,
    review(_, context) {
      const measured = measure(context);
      if (measured === undefined) return refuseUnknown(code, what, `${maxBps} bp`);
      const limit = mostOf(measured.base);
      return measured.loss.atMost(limit) ? PASS : refuse(code, `${what} is`, shown(measured.loss), shown(limit));
    },
    monitor(context) {
      const measured = measure(context);
      if (measured === undefined) return undefined;
      const limit = mostOf(measured.base);
      return measured.loss.atMost(limit) ? undefined : halted(code, `${what} is`, shown(measured.loss), shown(limit));
    },
  };
}
