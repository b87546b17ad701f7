// Whether a step of a plan is still needed: holdings move between its proposal and its turn. A step is needed while the holdings miss
// their bands by less with it than without it, whatever else the plan still does.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { assetOf, type Band, bandHolds, type HoldingName } from "../plan/holding.ts";
import { expected, missing } from "../plan/plan.ts";
import { type RatesOf, type Value, valueWith } from "../plan/route.ts";
import type { Situation } from "../plan/situation.ts";
import type { ContentStep } from "./plan-content.ts";

export type HoldingsNow = Pick<Situation, "holdings" | "bands" | "rates">;

export type HoldingChange = {
  readonly holding: HoldingName;
  readonly band: Band | undefined;
  readonly now: Money;
  readonly after: Money;
  /** Beyond the band; nothing when it is inside. */
  readonly missingNow: Money;
  readonly missingAfter: Money;
};

/** Every holding that has a band, or that a step takes from or brings to: with what is bound and on its way, now and after them. */
export function holdingsAfter(
  steps: readonly ContentStep[],
  { holdings, bands }: Omit<HoldingsNow, "rates">,
): readonly HoldingChange[] {
  const moves = steps.flatMap(movesOf);
  const names = new Set([...bands.map(({ holding }) => holding), ...moves.map(({ holding }) => holding)]);
  return Array.from(names, (holding) => {
    const band = bands.find((one) => one.holding === holding);
    const state = holdings.find((one) => one.holding === holding);
    const now = state === undefined ? Money.zero(assetOf(holding)) : expected(state);
    const after = moves.reduce((sum, move) => (move.holding === holding ? sum.plus(move.amount) : sum), now);
    return { holding, band, now, after, missingNow: missing(now, band), missingAfter: missing(after, band) };
  });
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
  const held = holdingsAfter([next], holdings)
    .filter(({ holding, band }) => touched.has(holding) && band !== undefined)
    .map(({ holding, now, band }) => `${holding} ${bandHolds(now, band)}`);
  return `${next.name} brings no holding nearer to its band: ${held.join("; ") || "none that it moves has one"}`;
}

function missedBy(steps: readonly ContentStep[], holdings: HoldingsNow): Value {
  const value = valueWith(holdings.rates);
  return holdingsAfter(steps, holdings).reduce((sum, { missingAfter }) => sum + (value(missingAfter) ?? 0n), 0n);
}

function movesOf({ takes, brings }: ContentStep): readonly { readonly holding: HoldingName; readonly amount: Money }[] {
  const [taken, brought] = [partsOf(takes), partsOf(brings)];
  return [{ holding: taken.holding, amount: taken.amount.negated() }, brought];
}

/** The parts of `49997.8 CHF`, as a plan writes it. */
function partsOf(text: string): { readonly holding: HoldingName; readonly amount: Money } {
  const [amount = "", holding = ""] = text.split(" ");
  return { holding: holding as HoldingName, amount: Money.of(amount, assetOf(holding as HoldingName)) };
}
