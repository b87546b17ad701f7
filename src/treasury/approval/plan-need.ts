// Whether a step of a plan is still needed: holdings move between its proposal and its turn. A step is needed while the pots miss
// their bands by less with it than without it, whatever else the plan still does.

import { amountText } from "../../domain/amount-text.ts";
import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { assetOf, type Band, edgesOf, type PotName } from "../plan/holding.ts";
import { expected, missing } from "../plan/plan.ts";
import { type RatesOf, type Value, valueWith } from "../plan/route.ts";
import type { Situation } from "../plan/situation.ts";
import type { ContentStep } from "./plan-content.ts";

export type Pots = Pick<Situation, "holdings" | "bands" | "rates">;

export type PotChange = {
  readonly pot: PotName;
  readonly band: Band | undefined;
  readonly now: Money;
  readonly after: Money;
  /** Beyond the band; nothing when it is inside. */
  readonly missingNow: Money;
  readonly missingAfter: Money;
};

/** Every pot that has a band, or that a step takes from or brings to: with what is bound and on its way, now and after them. */
export function potsAfter(
  steps: readonly ContentStep[],
  { holdings, bands }: Omit<Pots, "rates">,
): readonly PotChange[] {
  const moves = steps.flatMap(movesOf);
  const names = new Set([...bands.map(({ pot }) => pot), ...moves.map(({ pot }) => pot)]);
  return Array.from(names, (pot) => {
    const band = bands.find((one) => one.pot === pot);
    const holding = holdings.find((one) => one.pot === pot);
    const now = holding === undefined ? Money.zero(assetOf(pot)) : expected(holding);
    const after = moves.reduce((sum, move) => (move.pot === pot ? sum.plus(move.amount) : sum), now);
    return { pot, band, now, after, missingNow: missing(now, band), missingAfter: missing(after, band) };
  });
}

/** What the steps move and nobody can value now: then nobody can say whether they are needed. */
export function unvaluedOf(steps: readonly ContentStep[], rates: RatesOf): Asset | undefined {
  return steps.flatMap(movesOf).find(({ amount }) => rates(amount.asset) === undefined)?.amount.asset;
}

/** Why the first of these steps, which are what is left of a plan, is not needed any more. */
export function whyUnneeded(steps: readonly ContentStep[], pots: Pots): string | undefined {
  const [next, ...others] = steps;
  if (next === undefined || missedBy(steps, pots) < missedBy(others, pots)) return undefined;
  const touched = new Set(movesOf(next).map(({ pot }) => pot));
  const held = potsAfter([next], pots)
    .filter(({ pot, band }) => touched.has(pot) && band !== undefined)
    .map(({ pot, now, band }) => `${pot} has ${amountText(String(now))}, its band is ${bandText(band)}`);
  return `${next.name} brings no pot nearer to its band: ${held.join("; ") || "none that it moves has one"}`;
}

/** `250,000 to 400,000`; nothing where there is no band. */
export function bandText(band: Band | undefined): string {
  if (band === undefined) return "";
  const { low, high } = edgesOf(band);
  const back = band.left === undefined ? "" : `, back to ${edgeText(band.low)}`;
  return `${edgeText(low)} to ${edgeText(high)}${back}`;
}

function edgeText(edge: Money | undefined): string {
  return edge === undefined ? "any" : amountText(String(edge), 0).replace(/\.$/, "");
}

function missedBy(steps: readonly ContentStep[], pots: Pots): Value {
  const value = valueWith(pots.rates);
  return potsAfter(steps, pots).reduce((sum, { missingAfter }) => sum + (value(missingAfter) ?? 0n), 0n);
}

function movesOf({ takes, brings }: ContentStep): readonly { readonly pot: PotName; readonly amount: Money }[] {
  const [taken, brought] = [partsOf(takes), partsOf(brings)];
  return [{ pot: taken.pot, amount: taken.amount.negated() }, brought];
}

/** The parts of `49997.8 CHF`, as a plan writes it. */
function partsOf(text: string): { readonly pot: PotName; readonly amount: Money } {
  const [amount = "", pot = ""] = text.split(" ");
  return { pot: pot as PotName, amount: Money.of(amount, assetOf(pot as PotName)) };
}
