// RC08: age of the prices that fair value rests on. Without a fair value there is no order, whatever the reason.

import { PASS, type Rule } from "../rule.ts";
import { isKnown, refuse, refuseUnknown } from "../ruling.ts";

export function staleReference(ageMsMax: number): Rule {
  const limit = `${ageMsMax} ms`;
  return {
    code: "RC08",
    atSend: true,
    review({ symbol, fair }) {
      if (fair.kind === "none") return refuse("RC08", `fair value of ${symbol} is`, fair.reason, limit);
      if (!isKnown(fair.value) || !isKnown(fair.ageMs) || fair.ageMs < 0)
        return refuseUnknown("RC08", `age of the reference of ${symbol}`, limit);
      return fair.ageMs <= ageMsMax
        ? PASS
        : refuse("RC08", `age of the reference of ${symbol} is`, `${fair.ageMs} ms`, limit);
    },
  };
}
