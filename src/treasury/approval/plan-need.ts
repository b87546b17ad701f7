// Decides whether a step of a plan is still needed, because holdings move between its proposal and its turn. A step is
// needed while the holdings miss their bands by less with it than without it, given the remaining steps.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { assetOf, bandHolds, type HoldingChange, type HoldingName, holdingsAfter, type Move } from "../plan/holding.ts";
import { type RatesOf, type Value, valueWith } from "../plan/route.ts";
import type { Situation } from "../plan/situation.ts";
import type { ContentStep } from "./plan-content.ts";

export type HoldingsNow = Pick<Situation, "holdings" | "bands" | "rates">;

/** The holdings after these steps. */
export function holdingsAfterSteps(
  steps: readonly ContentStep[],
  holdings: Omit<HoldingsNow, "rates">,
): readonly HoldingChange[] {
  return holdingsAfter(steps.flatMap(movesOf), holdings);
}

/** An asset that the steps move and that has no rate now, so that the need of the steps cannot be judged. */
export function unvaluedOf(steps: readonly ContentStep[], rates: RatesOf): Asset | undefined {
  return steps.flatMap(movesOf).find(({ amount }) => rates(amount.asset) === undefined)?.amount.asset;
}

/** Why the first of these remaining steps of a plan is no longer needed. */
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

/** Parses an amount as written in a plan, such as `49997.8 CHF`. */
function partsOf(text: string): Move {
  const [amount = "", holding = ""] = text.split(" ");
  return { holding: holding as HoldingName, amount: Money.of(amount, assetOf(holding as HoldingName)) };
}
