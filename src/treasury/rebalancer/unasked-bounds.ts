// What the bot may do without asking: why a plan is for people to decide.

import { amountText } from "../../domain/amount-text.ts";
import { Money, type Quantity } from "../../domain/money/money.ts";
import { type Plan, type PlanStep, withoutIdle, withSteps } from "../plan/plan.ts";
import type { RatesOf } from "../plan/route.ts";

export type UnaskedBounds = {
  /** What is worth more is asked for; undefined: always asked for. */
  readonly orderValueMax: Quantity | undefined;
  readonly mintValueMax: Quantity | undefined;
  readonly railValueMax: Quantity | undefined;
  /** A step that loses more of what it moves, at fair value, is asked for. */
  readonly costBpsMax: number;
  /** All that is moved on a UTC day without asking; undefined: nothing. */
  readonly dayValueMax: Quantity | undefined;
};

/** What of a plan is carried out at once, and what people are asked for, with the reason. Either may be nothing. */
export type Divided = { readonly unasked: Plan; readonly asked: Plan; readonly why: string | undefined };

/** One step that is for people holds no other that helps without it. Orders of a pair go together: each is priced behind the one before. */
export function divided(plan: Plan, bounds: UnaskedBounds, before: readonly Money[], rates: RatesOf): Divided {
  const none = withSteps(plan, () => false);
  const why = whyAsked(plan, bounds, before);
  if (why === undefined) return { unasked: plan, asked: none, why };
  const held = new Set(plan.steps.flatMap((step) => (whyHeld(step, bounds) === undefined ? [] : [groupOf(step)])));
  const unasked = withoutIdle(
    withSteps(plan, (step) => !held.has(groupOf(step))),
    rates,
  );
  if (unasked.steps.length === 0 || whyAsked(unasked, bounds, before) !== undefined)
    return { unasked: none, asked: plan, why };
  return { unasked, asked: withSteps(plan, (step) => !unasked.steps.includes(step)), why };
}

function groupOf(step: PlanStep): unknown {
  const { way } = step.door;
  return way.kind === "order" ? way.symbol : step;
}

/** `before`: what was moved today without asking, a sum for each currency. */
function whyAsked({ steps }: Plan, bounds: UnaskedBounds, before: readonly Money[]): string | undefined {
  const [first] = steps;
  if (first === undefined) return undefined;
  for (const step of steps) {
    const why = whyHeld(step, bounds);
    if (why !== undefined) return why;
  }
  const { dayValueMax } = bounds;
  if (dayValueMax === undefined) return "without dayValueMax nothing is moved unasked";
  const { asset } = first.value;
  // What was moved in another currency cannot be added to it.
  if (before.some((one) => one.asset !== asset)) return `what was moved today is not counted in ${asset}`;
  const moved = Money.sum([...before, ...steps.map(({ value }) => value)], asset);
  if (moved.atMost(dayValueMax.of(asset))) return undefined;
  return `with it ${worth(moved)} are moved today, dayValueMax is ${dayValueMax}`;
}

function whyHeld(step: PlanStep, bounds: UnaskedBounds): string | undefined {
  return tooLarge(step, bounds) ?? tooDear(step, bounds);
}

const KEYS = {
  order: "orderValueMax",
  mint: "mintValueMax",
  "on-ramp": "railValueMax",
  "off-ramp": "railValueMax",
} as const;

function tooLarge({ door, value }: PlanStep, bounds: UnaskedBounds): string | undefined {
  const key = KEYS[door.way.kind];
  const most = bounds[key];
  if (most === undefined) return `${door.name}: without ${key} every such step is asked for`;
  return value.atMost(most.of(value.asset)) ? undefined : `${door.name} is worth ${worth(value)}, ${key} is ${most}`;
}

/** Spread and fees; time and risk are no money that is lost. */
function tooDear({ door, lost, value }: PlanStep, { costBpsMax }: UnaskedBounds): string | undefined {
  if (lost.atMost(value.share(costBpsMax, "down"))) return undefined;
  const bps = (lost.toNumber() / value.toNumber()) * 10_000;
  return `${door.name} loses ${worth(lost)}, ${bps.toFixed(1)} bp of its worth, costBpsMax is ${costBpsMax}`;
}

function worth(money: Money): string {
  return `${amountText(String(money))} ${money.asset}`;
}
