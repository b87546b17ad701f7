// Whether a step of a plan is still needed: holdings move between its proposal and its turn. A step is needed while the holdings miss
// their bands by less with it than without it, whatever else the plan still does.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { assetOf, bandHolds, type HoldingChange, type HoldingName, holdingsAfter, type Move } from "../plan/holding.ts";
import { type RatesOf, type Value, valueWith } from "../plan/route.ts";
import type { Situation } from "../plan/situation.ts";
import type { ContentStep } from "./plan-content.ts";

export type HoldingsNow = Pick<Situation, "holdings" | "bands" | "rates">;

/** As these steps leave them. */
export function holdingsAfterSteps(
  steps: readonly ContentStep[],
  holdings: Omit<HoldingsNow, "rates">,
): readonly HoldingChange[] {
  return holdingsAfter(steps.flatMap(movesOf), holdings);
}

/** An asset that the steps move and that has no rate now: then their need cannot be judged. */
export function unvaluedOf(steps: readonly ContentStep[], rates: RatesOf): Asset | undefined {
  return steps.flatMap(movesOf).find(({ amount }) => rates(amount.asset) === undefined)?.amount.asset;
}

/** Why the first of these steps, which are what is left of a plan, is not needed any more. */
export function whyUnneeded(steps: readonly ContentStep[], holdings: HoldingsNow): string | undefined {
  const [next, ...others] = steps;
  if (next === undefined || missedBy(steps, holdings) < missedBy(others, holdings)) return undefined;
  const touched = new Set(movesOf(next).map(({ holding }) => holding));
  const held = holdingsAfterSteps([next], holdings)
    .filter(({ holding, band }) => touched.has(holding) && band !== undefined)
    .map(({ holding, before, band }) => `${holding} ${bandHolds(before, band)}`);
  return `${next.name} brings no holding nearer to its band: ${held.join("; ") || "none that it moves has one"}`;
}

function missedBy(steps: readonly ContentStep[], holdings: HoldingsNow): Value {
  const value = valueWith(holdings.rates);
  return holdingsAfterSteps(steps, holdings).reduce((sum, { missingAfter }) => sum + (value(missingAfter) ?? 0n), 0n);
}

function movesOf({ takes, brings }: ContentStep): readonly Move[] {
  const [taken, brought] = [partsOf(takes), partsOf(brings)];
  return [{ holding: taken.holding, amount: taken.amount.negated() }, brought];
}

/** The parts of `49997.8 CHF`, as a plan writes it. */
function partsOf(text: string): Move {
  const [amount = "", holding = ""] = text.split(" ");
  return { holding: holding as HoldingName, amount: Money.of(amount, assetOf(holding as HoldingName)) };
}
