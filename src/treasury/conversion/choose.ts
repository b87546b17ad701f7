// The next step of a conversion, or what it waits for.

import type { Millis } from "../../domain/time.ts";
import { utcText } from "../../domain/time-text.ts";
import type { ConversionTerms } from "../approval/plan-content.ts";
import type { Conversion, Way } from "../plan/cheapest.ts";
import type { PlanStep } from "../plan/path.ts";
import type { WaysNow } from "../plan/routes.ts";

type Now = {
  readonly terms: Pick<ConversionTerms, "by" | "isPatient">;
  readonly begunAt: Millis;
  readonly left: Conversion;
  /** The time until the venue shows a price again. */
  readonly refillMs: number;
  readonly at: Millis;
};

export function choose(
  { ways, dear }: Pick<WaysNow, "ways" | "dear">,
  { terms, begunAt, left, refillMs, at }: Now,
): PlanStep | string {
  const { by, isPatient } = terms;
  const { costBpsMax } = left;
  if (ways.length === 0) return dear.length === 0 ? "a way: none is open now" : tooDear(dear, left);
  const inTime = ways.filter(({ arrivesMs }) => at + arrivesMs <= by);
  if (inTime.length === 0) return `a way that arrives by ${utcText(by)}`;
  const best = inTime.find((way) => worstBpsOf(way.steps, left) <= costBpsMax);
  if (best === undefined) return tooDear(inTime, left);
  const own = best.steps.filter(({ route }) => route.from === left.from);
  // What takes long begins first.
  const step = (own.find(({ via }) => via.kind !== "order") ?? own[0]) as PlanStep;
  if (!isPatient || step.via.kind !== "order" || left.from !== step.route.from) return step;
  const bps = worstBpsOf(best.steps, left);
  const orders = Math.ceil(left.amount.toNumber() / Math.max(1e-9, (left.isBuy ? step.brings : step.takes).toNumber()));
  const patience = Math.max(0, by - begunAt - PATIENT_PARTS * orders * refillMs);
  const share = patience === 0 ? 1 : Math.min(1, (at - begunAt) / patience);
  const wanted = costBpsMax * share;
  return bps <= wanted
    ? step
    : `a better price until ${utcText(by)}: now it costs ${bpsText(bps)}, wanted are ${bpsText(wanted)}`;
}

/** The time for the orders that are left, and as much again. */
const PATIENT_PARTS = 2;

/** Of the value that leaves: what may be lost at most. */
export function worstBpsOf(steps: readonly PlanStep[], { from }: Pick<Conversion, "from">): number {
  let [lost, value] = [0, 0];
  for (const step of steps) {
    lost += lostMax(step).toNumber();
    if (step.route.from === from) value += step.value.toNumber();
  }
  return value === 0 ? 0 : (lost / value) * 1e4;
}

export function lostMax({ lost, cost, costMax }: PlanStep): PlanStep["lost"] {
  return lost.plus(costMax).minus(cost);
}

function tooDear(ways: readonly Way[], left: Conversion): string {
  const least = Math.min(...ways.map(({ steps }) => worstBpsOf(steps, left)));
  return `a way that costs at most ${bpsText(left.costBpsMax)}: the cheapest now costs ${bpsText(least)}`;
}

function bpsText(bps: number): string {
  return `${bps.toFixed(1)} bp`;
}
