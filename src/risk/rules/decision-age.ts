// RC28: how long a decision is good for: its own lifetime, and never longer than the limit. Asked again when a slot opens.

import { PASS, type Rule } from "../rule.ts";
import { isKnown, refuse, refuseUnknown } from "../ruling.ts";

export function decisionAge(ageMsMax: number): Rule {
  const limit = `${ageMsMax} ms`;
  return {
    code: "RC28",
    atSend: true,
    review({ decidedAt, expiresAt }, { now }) {
      const ageMs = now - decidedAt;
      if (!isKnown(ageMs) || !isKnown(expiresAt) || ageMs < 0)
        return refuseUnknown("RC28", "age of the decision", limit);
      if (ageMs > ageMsMax) return refuse("RC28", "age of the decision is", `${ageMs} ms`, limit);
      return now <= expiresAt
        ? PASS
        : refuse("RC28", "age of the decision is", `${ageMs} ms`, `${expiresAt - decidedAt} ms`);
    },
  };
}
