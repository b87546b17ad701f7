// What the bot may do without asking, step by step and over a day.

import { amountText } from "../../domain/amount-text.ts";
import { Money, type Quantity } from "../../domain/money/money.ts";
import type { PlanStep } from "../plan/path.ts";

export type UnaskedBounds = {
  /** A larger value requires approval; undefined: always. */
  readonly orderValueMax?: Quantity | undefined;
  readonly mintValueMax?: Quantity | undefined;
  readonly railValueMax?: Quantity | undefined;
  /** A step that loses more than this share of its value, at fair value, requires approval. */
  readonly costBpsMax: number;
  /** The maximum total moved without approval on a UTC day; undefined: nothing. */
  readonly dayValueMax?: Quantity | undefined;
};

/** `before`: the value moved today without approval, one sum per currency. `value`: of all of it, where the steps begin it only. */
export function whyAsked(
  steps: readonly PlanStep[],
  bounds: UnaskedBounds,
  before: readonly Money[],
  value?: Money,
): string | undefined {
  const [first] = steps;
  if (first === undefined) return undefined;
  for (const step of steps) {
    const why = whyStepAsked(step, bounds);
    if (why !== undefined) return why;
  }
  const { dayValueMax } = bounds;
  if (dayValueMax === undefined) return "without dayValueMax nothing is moved unasked";
  const { asset } = first.value;
  // Value moved in another currency cannot be added.
  if (before.some((one) => one.asset !== asset)) return `what was moved today is not counted in ${asset}`;
  const all = value === undefined ? steps.map((step) => step.value) : [value];
  const moved = Money.sum([...before, ...all], asset);
  if (moved.atMost(dayValueMax.of(asset))) return undefined;
  return `with it ${worth(moved)} are moved today, dayValueMax is ${dayValueMax}`;
}

const KEYS = {
  order: "orderValueMax",
  mint: "mintValueMax",
  "on-ramp": "railValueMax",
  "off-ramp": "railValueMax",
} as const;

/** Spread and fees; time and risk are not lost money. */
export function whyStepAsked({ route, via, value, lost }: PlanStep, bounds: UnaskedBounds): string | undefined {
  const key = KEYS[via.kind];
  const most = bounds[key];
  if (most === undefined) return `${route.name}: without ${key} every such step is asked for`;
  if (value.moreThan(most.of(value.asset))) return `${route.name} is worth ${worth(value)}, ${key} is ${most}`;
  const { costBpsMax } = bounds;
  if (lost.atMost(value.share(costBpsMax, "down"))) return undefined;
  const bps = (lost.toNumber() / value.toNumber()) * 10_000;
  return `${route.name} loses ${worth(lost)}, ${bps.toFixed(1)} bp of its worth, costBpsMax is ${costBpsMax}`;
}

function worth(money: Money): string {
  return `${amountText(String(money))} ${money.asset}`;
}
