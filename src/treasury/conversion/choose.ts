// The next step of a conversion, or what it waits for.

import type { Millis } from "../../domain/time.ts";
import { utcText } from "../../domain/time-text.ts";
import type { ConversionTerms } from "../approval/plan-content.ts";
import type { Conversion, Way } from "../plan/cheapest.ts";
import type { HoldingName } from "../plan/holding.ts";
import type { PlanStep } from "../plan/path.ts";
import type { WaysNow } from "../plan/routes.ts";
import type { Moved } from "./purse.ts";

type Now = {
  readonly terms: ConversionTerms;
  readonly begunAt: Millis;
  readonly left: Conversion;
  /** The time until the venue shows a price again. */
  readonly refillMs: number;
  readonly at: Millis;
  /** So far. */
  readonly moved: Pick<Moved, "value" | "lost"> | undefined;
};

export function choose(
  { ways, dear, closed }: WaysNow,
  { terms, begunAt, left, refillMs, at, moved }: Now,
): PlanStep | string {
  const { by, isPatient, costBpsMax } = terms;
  const shut = closed.map(({ name, reason }) => `; ${name}: ${reason}`).join("");
  if (ways.length === 0) return dear.length === 0 ? `a route: none is open now${shut}` : tooDear(dear, left);
  const inTime = ways.filter(({ arrivesMs }) => at + arrivesMs <= by);
  if (inTime.length === 0) return `a route that arrives by ${utcText(by)}`;
  // What was lost before counts: a fee that was not expected leaves less for the rest.
  const best = inTime.find((way) => {
    const { lost, value } = lostBy(way.steps, terms);
    const [before, of] = [moved?.lost.toNumber() ?? 0, moved?.value.toNumber() ?? 0];
    return (lost + before) * 1e4 <= (value + of) * costBpsMax;
  });
  if (best === undefined) return tooDear(inTime, left);
  const own = best.steps.filter(({ route }) => route.from === left.from);
  // What takes long begins first.
  const step = (own.find(({ via }) => via.kind !== "order") ?? own[0]) as PlanStep;
  if (!isPatient || step.via.kind !== "order" || left.from !== terms.from) return step;
  const bps = costBpsOf(own.length < best.steps.length ? best.steps : [step], left);
  const wanted = costBpsMax * patience(step, { by, begunAt, left, refillMs, at });
  if (bps <= wanted) return step;
  return `a better price: it costs ${bpsText(bps)} now, at most ${bpsText(wanted)} is accepted`;
}

/** The time for the orders that are left, and as much again. */
const SPARE_PARTS = 2;

/** From 0 at the beginning to 1 where the time that is left is needed for the orders. */
function patience(
  { takes, brings }: PlanStep,
  { by, begunAt, left, refillMs, at }: Pick<Now, "begunAt" | "left" | "refillMs" | "at"> & { readonly by: Millis },
): number {
  const orders = Math.ceil(left.amount.toNumber() / (left.isBuy ? brings : takes).toNumber());
  const patientMs = by - begunAt - SPARE_PARTS * orders * refillMs;
  return patientMs <= 0 ? 1 : Math.min(1, (at - begunAt) / patientMs);
}

/** Of the value that leaves, in the currency: what these steps lose, fees as expected. */
function lostBy(steps: readonly PlanStep[], { from }: { readonly from: HoldingName }) {
  const leaving = steps.filter(({ route }) => route.from === from);
  const sum = (of: readonly PlanStep[], field: "lost" | "value"): number =>
    of.reduce((all, step) => all + step[field].toNumber(), 0);
  return { lost: sum(steps, "lost"), value: sum(leaving, "value") };
}

export function costBpsOf(steps: readonly PlanStep[], from: { readonly from: HoldingName }): number {
  const { lost, value } = lostBy(steps, from);
  return value === 0 ? 0 : (lost / value) * 1e4;
}

function tooDear(ways: readonly Way[], left: Conversion): string {
  const least = Math.min(...ways.map(({ steps }) => costBpsOf(steps, left)));
  return `a route that costs at most ${bpsText(left.costBpsMax)}: the cheapest now costs ${bpsText(least)}`;
}

function bpsText(bps: number): string {
  return `${bps.toFixed(1)} bp`;
}
