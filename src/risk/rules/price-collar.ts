// RC07: distance of a limit from fair value, in both directions. Beyond the hard collar the refusal has a code of its own,
// RC07H, which raises an alarm: such a price is no opinion but a mistake.

import { Price } from "../../domain/money/money.ts";
import { PASS, type Rule } from "../rule.ts";
import { isKnown, refuse, refuseUnknown } from "../ruling.ts";

export function priceCollar(maxBps: number, code: "RC07" | "RC07H" = "RC07"): Rule {
  const limit = `${maxBps} bp`;
  return {
    code,
    atSend: true,
    review(order, { pricing }) {
      const fair = pricing.fair(order.symbol);
      const value = fair.kind === "fair" ? exactly(fair.value) : undefined;
      if (value === undefined) return refuseUnknown(code, `fair value of ${order.symbol}`, limit);
      const isInside =
        order.limit.atMost(value.shifted(maxBps, "down")) && order.limit.atLeast(value.shifted(-maxBps, "up"));
      if (isInside) return PASS;
      return refuse(
        code,
        `limit ${order.limit} is away from fair value ${value} by`,
        distance(order.limit, value),
        limit,
      );
    },
  };
}

/** Fair value is a float; a part in 10^9 of it is far below any collar, and the grid keeps the comparison exact. */
function exactly(value: number): Price | undefined {
  if (!isKnown(value) || value <= 0) return undefined;
  const decimals = value < 9_000 ? 12 : 6;
  const steps = Math.round(value * 10 ** decimals);
  return steps > 0 && Number.isSafeInteger(steps) ? Price.ofSteps(steps, decimals) : undefined;
}

function distance(limit: Price, fair: Price): string {
  return `${Math.abs((limit.toNumber() / fair.toNumber() - 1) * 1e4).toFixed(2)} bp`;
}
