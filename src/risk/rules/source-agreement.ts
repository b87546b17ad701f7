// RC09: how many sources a fair value needs, and how far they may be apart.

import { PASS, type Rule } from "../rule.ts";
import { isKnown, refuse, refuseUnknown } from "../ruling.ts";

export function sourceCount(min: number): Rule {
  return {
    code: "RC09",
    atSend: true,
    review({ symbol, fair }) {
      if (fair.kind === "none" || !isKnown(fair.sources))
        return refuseUnknown("RC09", `number of sources for ${symbol}`, min);
      return fair.sources >= min ? PASS : refuse("RC09", `number of sources for ${symbol} is`, fair.sources, min);
    },
  };
}

export function sourceSpread(maxBps: number): Rule {
  const limit = `${maxBps} bp`;
  return {
    code: "RC09",
    atSend: true,
    review({ symbol, fair }) {
      if (fair.kind === "none" || !isKnown(fair.disagreementBps) || fair.disagreementBps < 0)
        return refuseUnknown("RC09", `disagreement of sources for ${symbol}`, limit);
      return fair.disagreementBps <= maxBps
        ? PASS
        : refuse("RC09", `sources for ${symbol} disagree by`, `${fair.disagreementBps} bp`, limit);
    },
  };
}
