// RC08 and RC09: what fair value rests on. The age of its prices, how many sources it needs, and how far they may be apart.
// Without a fair value there is no order, whatever the reason.

import type { Fair } from "../../domain/fair.ts";
import { unreachable } from "../../domain/invariant.ts";
import { PASS, type Rule } from "../rule.ts";
import { bpsText, isKnown, refuse, refuseUnknown } from "../ruling.ts";

type ReferenceLimits = {
  readonly ageMsMax: number;
  readonly sourcesMin: number;
  /** Undefined is loosened. */
  readonly spreadBpsMax: number | undefined;
};

/** One rule for all three: every order meets them twice, and each needs to know that there is a fair value. */
export function reference(limits: ReferenceLimits): Rule {
  const { ageMsMax, sourcesMin, spreadBpsMax } = limits;
  const oldest = `${ageMsMax} ms`;
  const widest = `${spreadBpsMax} bp`;
  return {
    code: "RC08 RC09",
    atSend: true,
    review({ symbol, fair }) {
      if (fair.kind === "none")
        return refuse("RC08", `fair value of ${symbol} is`, fair.reason, brokenBy(fair, limits));
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
        : refuse("RC09", `sources for ${symbol} disagree by`, bpsText(disagreementBps), widest);
    },
  };
}

/** What a pair without a fair value has not kept. */
function brokenBy({ reason, limit }: Extract<Fair, { kind: "none" }>, limits: ReferenceLimits): string {
  switch (reason) {
    case "stale":
      return `${limits.ageMsMax} ms`;
    case "missing":
      return `${limit ?? limits.sourcesMin} or more sources`;
    case "disagreeing":
      return limits.spreadBpsMax === undefined ? "one price" : `${limits.spreadBpsMax} bp between sources`;
    case "off-peg":
      return limit === undefined ? "the band around par" : `${limit} bp around par`;
    case "frozen":
      return limit === undefined ? "a price that moves" : `${limit} ms without a move`;
    case "crossed":
      return "a bid below its ask";
    case "implausible":
      return "what the pair can cost";
    case "jumping":
      return "a leap that a second source confirms";
    case "closed":
      return "open currency markets";
    default:
      return unreachable(reason);
  }
}
