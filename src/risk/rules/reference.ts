// RC08 and RC09: what fair value rests on. The age of its prices, how many sources it needs, and how far they may be apart.
// Without a fair value there is no order, whatever the reason.

import { PASS, type Rule } from "../rule.ts";
import { isKnown, refuse, refuseUnknown } from "../ruling.ts";

type ReferenceLimits = {
  readonly ageMsMax: number;
  readonly sourcesMin: number;
  /** Undefined is loosened. */
  readonly spreadBpsMax: number | undefined;
};

/** One rule for all three: every order meets them twice, and each needs to know that there is a fair value. */
export function reference({ ageMsMax, sourcesMin, spreadBpsMax }: ReferenceLimits): Rule {
  const oldest = `${ageMsMax} ms`;
  const widest = `${spreadBpsMax} bp`;
  return {
    code: "RC08 RC09",
    atSend: true,
    review({ symbol, fair }) {
      if (fair.kind === "none") return refuse("RC08", `fair value of ${symbol} is`, fair.reason, oldest);
      const { value, ageMs, sources, disagreementBps } = fair;
      if (!isKnown(value) || !isKnown(ageMs) || ageMs < 0)
        return refuseUnknown("RC08", `age of the reference of ${symbol}`, oldest);
      if (ageMs > ageMsMax) return refuse("RC08", `age of the reference of ${symbol} is`, `${ageMs} ms`, oldest);
      if (!isKnown(sources)) return refuseUnknown("RC09", `number of sources for ${symbol}`, sourcesMin);
      if (sources < sourcesMin) return refuse("RC09", `number of sources for ${symbol} is`, sources, sourcesMin);
      if (spreadBpsMax === undefined) return PASS;
      if (!isKnown(disagreementBps) || disagreementBps < 0)
        return refuseUnknown("RC09", `disagreement of sources for ${symbol}`, widest);
      return disagreementBps <= spreadBpsMax
        ? PASS
        : refuse("RC09", `sources for ${symbol} disagree by`, `${disagreementBps} bp`, widest);
    },
  };
}
