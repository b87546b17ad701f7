// A mint of a plan: told apart from the venue's list by its last decimals, and at no more than the fee that was approved.

import { fiatOf } from "../../domain/coin.ts";
import type { MintIntent } from "../../domain/mint.ts";
import { err, type Result } from "../../domain/result.ts";
import { millis } from "../../domain/time.ts";
import type { SupplyChange } from "../../exchange/port.ts";
import { idOfChange } from "../../execution/movement-evidence.ts";
import { approvedFeeBps, quantityOf } from "../../treasury/approval/plan-content.ts";
import { saltedQuantity } from "../../treasury/mint/salt.ts";
import { moveFor } from "./move-for.ts";
import { currentStep, type RunningPlan } from "./running-plan.ts";
import type { Hands, StewardParts } from "./steward.ts";

/** `rows`: the venue's list, read since the step began. */
export function beginMint(
  running: RunningPlan,
  rows: readonly SupplyChange[],
  { saltDecimals: decimals, random }: Pick<StewardParts, "saltDecimals" | "random">,
  hands: Hands,
): Result<string> {
  const step = currentStep(running);
  const { way } = step;
  const fiat = way.kind === "mint" ? fiatOf(way.asset) : undefined;
  if (way.kind !== "mint" || fiat === undefined) return err("only a coin that stands for its fiat is minted");
  const feeBpsMax = approvedFeeBps(way);
  if (!feeBpsMax.ok) return feeBpsMax;
  const own = hands.executor.movements
    .mintsSince(millis(0))
    .flatMap((one) => (one.asset === way.asset ? [one.quantity] : []));
  const listed = rows.flatMap(({ quantity }) => (quantity === undefined ? [] : [quantity]));
  const quantity = saltedQuantity(quantityOf(step), [...listed, ...own], { decimals, random });
  if (!quantity.ok) return quantity;
  const feeMax = quantity.value.of(fiat).share(feeBpsMax.value, "up");
  const mint: MintIntent = {
    asset: way.asset,
    blockchain: way.chain,
    quantity: quantity.value,
    destination: undefined,
    spentMax: quantity.value.of(fiat).plus(feeMax),
    feeMax,
    known: rows.map(idOfChange),
  };
  return moveFor(running, { kind: "mint", mint }, hands);
}
