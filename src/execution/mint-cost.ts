// What a mint that was found in the list has cost. The list does not say, and a fee is no guess: the balances tell, as soon as
// nothing else can have moved what paid for it. Until then its money stays tied up.

import type { Asset } from "../domain/asset.ts";
import type { MintRecord } from "../domain/mint.ts";
import { Money } from "../domain/money/money.ts";
import type { Held } from "./held.ts";
import { hasLeft } from "./movement-report.ts";
import type { Submission } from "./submission.ts";
import type { Mover, Totals } from "./totals.ts";

/** It has happened, and the books have not let go of what paid for it. */
export function isUncosted({ kind, state, movement }: Pick<Held, "kind" | "state" | "movement">): boolean {
  if (kind !== "mint" || !("receipt" in state) || state.kind === "settled") return false;
  return (state.receipt as MintRecord).spent === undefined && !hasLeft(movement);
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
