// What a mint that was found in the list has cost. The list does not say, and a fee is no guess: the balances tell, as soon as
// nothing else can have moved what paid for it. Until then its money stays tied up.

import type { Asset } from "../domain/asset.ts";
import type { MintIntent, MintRecord } from "../domain/mint.ts";
import { Money } from "../domain/money/money.ts";
import type { Held } from "./kept/held.ts";
import { hasLeft } from "./movement-report.ts";
import type { Submission } from "./submission.ts";
import type { Mover, Totals } from "./totals.ts";

/** It has happened, and the books have not let go of what paid for it. */
export function isUncosted({ kind, state, movement }: Pick<Held, "kind" | "state" | "movement">): boolean {
  if (kind !== "mint" || !("receipt" in state) || state.kind === "settled") return false;
  return (state.receipt as MintRecord).spent === undefined && !hasLeft(movement);
}

/** Left for a mint of which only the list is known: at least what its coins are, at most what was approved. */
export type Uncosted = { readonly id: string; readonly least: Money; readonly most: Money };

export function uncostedIn(asset: Asset, open: Iterable<Held>): readonly Uncosted[] {
  const found: Uncosted[] = [];
  for (const held of open) {
    if (!isUncosted(held)) continue;
    const { quantity, spentMax } = held.request as MintIntent;
    if (spentMax.asset === asset) found.push({ id: held.id, least: quantity.of(asset), most: spentMax });
  }
  return found;
}

/** Its coins cross the border of the account: to a wallet, or paid for by what a person took over from the balances. */
export function mayCross({ request, state }: Submission<"mint">): boolean {
  return request.destination !== undefined || !("receipt" in state) || state.receipt.spent === undefined;
}

/** Undefined while it cannot be told, or is not what was approved. */
export function costOf(
  { id, request }: Submission<"mint">,
  { differences, moved, unknown }: Totals,
  movers: readonly Mover[],
): Money | undefined {
  const { quantity, spentMax } = request;
  const { asset } = spentMax;
  if (unknown.includes(asset)) return undefined;
  const others = movers.filter((mover) => mover.id !== id && touches(mover, asset));
  if (others.some((mover) => !moved.includes(mover))) return undefined;
  const cost = (differences.find((one) => one.asset === asset) ?? Money.zero(asset)).negated();
  return cost.lessThan(quantity.of(asset)) || cost.moreThan(spentMax) ? undefined : cost;
}

export function touches({ movements }: Mover, asset: Asset): boolean {
  return movements.some(({ least }) => least.asset === asset);
}

/** What left for a mint, as a person takes it over. `isTold`: by the balances; else its fee cannot be told from what differs beside it. */
export type MintCost = { readonly id: string; readonly spent: Money; readonly fee: Money; readonly isTold: boolean };

/**
 * Which part of what is missing left for these mints, of the same money. Rows of history may have said of the rest where it went:
 * `missing` is without it. Fees are what is left within what was approved; where less than half of it is missing, none was paid for.
 */
export function costsWithin(missing: Money, mints: readonly Uncosted[]): readonly MintCost[] {
  const { asset } = missing;
  const sum = (amounts: readonly Money[]): Money => Money.sum(amounts, asset);
  const coins = sum(mints.map(({ least }) => least));
  if (mints.length === 0 || coins.moreThan(missing.plus(missing))) return [];
  const over = missing.minus(coins);
  let fees = over.max(Money.zero(asset));
  const costs = mints.map(({ id, least, most }) => {
    const fee = fees.min(most.minus(least));
    fees = fees.minus(fee);
    return { id, spent: least.plus(fee), fee };
  });
  const isTold = fees.isZero() && !over.isNegative();
  return costs.map((cost) => ({ ...cost, isTold }));
}
