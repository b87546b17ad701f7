// RC07: distance of a limit from fair value, in both directions. Beyond the hard collar the refusal has a code of its own,
// RC07H, which raises an alarm: such a price is no opinion but a mistake.

import type { Fair } from "../../domain/fair.ts";
import { Price } from "../../domain/money/money.ts";
import { PASS, type Rule, type Ruling } from "../rule.ts";
import { bpsText, isKnown, refuse, refuseUnknown } from "../ruling.ts";

/** Undefined is loosened; of the two the narrower one decides whether an order passes. */
export function priceCollar(softBps: number | undefined, hardBps: number | undefined): Rule | undefined {
  const narrowBps = Math.min(softBps ?? Number.POSITIVE_INFINITY, hardBps ?? Number.POSITIVE_INFINITY);
  if (!Number.isFinite(narrowBps)) return undefined;
  const narrow = collarOf(narrowBps);
  const common = commonCollarOf(narrowBps);
  const hard = hardBps === undefined ? undefined : collarOf(hardBps);
  return {
    code: "RC07",
    atSend: true,
    review({ symbol, limit, fair }) {
      const surely = fair.kind === "fair" ? common(fair.value) : undefined;
      if (surely !== undefined && isInside(limit, surely)) return inClosedMarket(limit, fair);
      const bounds = fair.kind === "fair" ? narrow(fair.value) : undefined;
      if (fair.kind === "none" || bounds === undefined)
        return refuseUnknown("RC07", `fair value of ${symbol}`, `${narrowBps} bp`);
      if (isInside(limit, bounds)) return inClosedMarket(limit, fair);
      const outer = hard?.(fair.value);
      const [code, bps] = outer !== undefined && !isInside(limit, outer) ? ["RC07H", hardBps] : ["RC07", narrowBps];
      const what = `limit ${limit} is away from fair value ${fair.value} by`;
      return refuse(code, what, distance(limit, fair.value), `${bps} bp`);
    },
  };
}

/** While a market is closed its prices are thin: what rests on them has a collar of its own. */
function inClosedMarket(limit: Price, fair: Fair): Ruling {
  if (fair.kind === "none" || fair.collarBps === undefined) return PASS;
  const bounds = boundsOf(fair.value, fair.collarBps);
  if (bounds !== undefined && isInside(limit, bounds)) return PASS;
  const what = `the currency markets are closed, and limit ${limit} is away from fair value ${fair.value} by`;
  return refuse("RC07", what, distance(limit, fair.value), `${fair.collarBps} bp`);
}

/** What is near, as a part of the collar. */
const NEAR = 0.5;

type Bounds = { readonly low: Price; readonly high: Price };

function isInside(limit: Price, { low, high }: Bounds): boolean {
  return limit.atLeast(low) && limit.atMost(high);
}

/** The bounds of the last fair value are kept: around par it is often the same. */
function collarOf(bps: number): (value: number) => Bounds | undefined {
  let known = Number.NaN;
  let bounds: Bounds | undefined;
  return (value) => {
    if (value === known) return bounds;
    known = value;
    bounds = boundsOf(value, bps);
    return bounds;
  };
}

/**
 * What the collars of all fair values near one have in common, kept while fair value stays near: both ends of a collar only
 * rise with fair value, so that is from the low end of the highest to the high end of the lowest.
 */
function commonCollarOf(bps: number): (value: number) => Bounds | undefined {
  const reach = (NEAR * bps) / 1e4;
  let least = Number.NaN;
  let most = Number.NaN;
  let common: Bounds | undefined;
  return (value) => {
    if (value >= least && value <= most) return common;
    least = value * (1 - reach);
    most = value * (1 + reach);
    const [lowest, highest] = [boundsOf(least, bps), boundsOf(most, bps)];
    const isOneGrid = decimalsOf(least) === decimalsOf(most);
    common = isOneGrid && lowest && highest ? { low: highest.low, high: lowest.high } : undefined;
    return common;
  };
}

/**
 * Fair value is a float; a part in 10^9 of it is far below any collar, and the grid keeps the comparison exact. The
 * distance is worked out in whole steps, rounded down: both products stay far below 2^53.
 */
function boundsOf(value: number, bps: number): Bounds | undefined {
  if (!isKnown(value) || value <= 0) return undefined;
  const decimals = decimalsOf(value);
  const steps = Math.round(value * 10 ** decimals);
  const rest = steps % 10_000;
  const away = ((steps - rest) / 10_000) * bps + Math.floor((rest * bps) / 10_000);
  if (steps <= 0 || !Number.isSafeInteger(steps + away)) return undefined;
  return { low: Price.ofSteps(steps - away, decimals), high: Price.ofSteps(steps + away, decimals) };
}

function decimalsOf(value: number): number {
  return value < 4_000 ? 12 : 6;
}

function distance(limit: Price, fair: number): string {
  return bpsText(Math.abs((limit.toNumber() / fair - 1) * 1e4));
}
