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
  return {
    code,
    review(_, context) {
      const measured = measure(context);
      if (measured === undefined) return refuseUnknown(code, what, `${maxBps} bp`);
      const most = measured.base.share(maxBps, "down");
      return measured.loss.atMost(most) ? PASS : refuse(code, `${what} is`, shown(measured.loss), shown(most));
    },
    monitor(context) {
      const measured = measure(context);
      const most = measured?.base.share(maxBps, "down");
      if (measured === undefined || most === undefined || measured.loss.atMost(most)) return undefined;
      return halted(code, `${what} is`, shown(measured.loss), shown(most));
    },
  };
}
