// RC07: distance of a limit from fair value, in both directions. Beyond the hard collar the refusal has a code of its own,
// RC07H, which raises an alarm: such a price is no opinion but a mistake.

import { Price } from "../../domain/money/money.ts";
import { PASS, type Rule } from "../rule.ts";
import { isKnown, refuse, refuseUnknown } from "../ruling.ts";

/** Undefined is loosened; of the two the narrower one decides whether an order passes. */
export function priceCollar(softBps: number | undefined, hardBps: number | undefined): Rule | undefined {
  const narrowBps = Math.min(softBps ?? Number.POSITIVE_INFINITY, hardBps ?? Number.POSITIVE_INFINITY);
  if (!Number.isFinite(narrowBps)) return undefined;
  return {
    code: "RC07",
    atSend: true,
    review({ symbol, limit, fair }) {
      const value = fair.kind === "fair" ? exactly(fair.value) : undefined;
      if (value === undefined) return refuseUnknown("RC07", `fair value of ${symbol}`, `${narrowBps} bp`);
      if (isInside(limit, value, narrowBps)) return PASS;
      const isMistake = hardBps !== undefined && !isInside(limit, value, hardBps);
      const [code, bps] = isMistake ? ["RC07H", hardBps] : ["RC07", narrowBps];
      return refuse(code, `limit ${limit} is away from fair value ${value} by`, distance(limit, value), `${bps} bp`);
    },
  };
}

function isInside(limit: Price, fair: Price, bps: number): boolean {
  return limit.atMost(fair) ? limit.atLeast(fair.shifted(-bps, "up")) : limit.atMost(fair.shifted(bps, "down"));
}

/** Fair value is a float; a part in 10^9 of it is far below any collar, and the grid keeps the comparison exact. */
function exactly(value: number): Price | undefined {
  if (!isKnown(value) || value <= 0) return undefined;
  const isSmall = value < 9_000;
  const steps = Math.round(value * (isSmall ? 1e12 : 1e6));
  return steps > 0 && Number.isSafeInteger(steps) ? Price.ofSteps(steps, isSmall ? 12 : 6) : undefined;
}

function distance(limit: Price, fair: Price): string {
  return `${Math.abs((limit.toNumber() / fair.toNumber() - 1) * 1e4).toFixed(2)} bp`;
}
