// Whether a step of a plan is still needed, because holdings move between its proposal and its turn: while the two
// holdings that it moves miss their bands by less with it, in value.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { assetOf, bandHolds, type HoldingChange, type HoldingName, holdingsAfter, type Move } from "../plan/holding.ts";
import { type RatesOf, valueIn } from "../plan/route.ts";
import type { Situation } from "../plan/routes.ts";
import type { ContentStep } from "./plan-content.ts";

export type HoldingsNow = Pick<Situation, "holdings" | "bands" | "rates">;

/** The holdings after these steps. */
export function holdingsAfterSteps(
  steps: readonly ContentStep[],
  holdings: Omit<HoldingsNow, "rates">,
): readonly HoldingChange[] {
  return holdingsAfter(steps.flatMap(movesOf), holdings);
}

/** An asset that the steps move and that has no rate now, so that the gate cannot judge them. */
export function unvaluedOf(steps: readonly ContentStep[], rates: RatesOf): Asset | undefined {
  return steps.flatMap(movesOf).find(({ amount }) => rates(amount.asset) === undefined)?.amount.asset;
}

/** Why this step is no longer needed. */
export function whyUnneeded(step: ContentStep, holdings: HoldingsNow): string | undefined {
  const moved = new Set(movesOf(step).map(({ holding }) => holding));
  const touched = holdingsAfterSteps([step], holdings).filter(({ holding }) => moved.has(holding));
  const missed = (when: "missingBefore" | "missingAfter"): bigint =>
    touched.reduce((sum, change) => sum + (valueIn(change[when], holdings.rates) ?? 0n), 0n);
  if (missed("missingAfter") < missed("missingBefore")) return undefined;
  const held = touched.flatMap(({ holding, before, band }) =>
    band === undefined ? [] : [`${holding} ${bandHolds(before, band)}`],
  );
  return `${step.name} brings no holding nearer to its band: ${held.join("; ") || "none that it moves has one"}`;
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
