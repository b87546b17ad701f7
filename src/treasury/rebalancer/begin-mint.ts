// A mint of a plan: told apart from the venue's list by its last decimals, and at no more than the fee that was approved.

import { fiatOf } from "../../domain/coin.ts";
import type { MintIntent } from "../../domain/mint.ts";
import type { Quantity } from "../../domain/money/money.ts";
import { printable } from "../../domain/outside-text.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { millis } from "../../domain/time.ts";
import type { SupplyChange } from "../../exchange/port.ts";
import type { Ask } from "../../execution/effects.ts";
import { idOfChange } from "../../execution/evidence.ts";
import { quantityOf } from "../approval/plan-content.ts";
import { whyNotWhitelisted } from "../destination.ts";
import { saltedQuantity } from "../mint/salt.ts";
import type { Way } from "../plan/door.ts";
import { moveFor } from "./move-for.ts";
import { currentStep, type RunningPlan } from "./running-plan.ts";
import type { Hands, StewardParts } from "./steward.ts";

type MintWay = Extract<Way, { kind: "mint" }>;

/** What has to be read since the step began. */
export function mintAsks({ asset, to }: MintWay): readonly Ask[] {
  const list: Ask = { witness: "supply-changes", asset, class: "balance" };
  return to === undefined ? [list] : [list, { witness: "addresses", asset: undefined, class: "balance" }];
}

/** Everything that was asked for is there. */
export function isListed({ soFar: { rows, sight } }: RunningPlan, { to }: MintWay): boolean {
  return rows !== undefined && (to === undefined || sight.addresses !== undefined);
}

export function beginMint(
  running: RunningPlan,
  way: MintWay,
  parts: Pick<StewardParts, "saltDecimals" | "random" | "wallets">,
  hands: Hands,
): Result<string> {
  const { rows = [] } = running.soFar;
  const fiat = fiatOf(way.asset);
  if (fiat === undefined) return err("only a coin that stands for its fiat is minted");
  const closed = whyNotTo(way, parts, running);
  if (closed !== undefined) return err(closed);
  const approved = quantityOf(currentStep(running));
  const quantity = way.isExact === true ? ok(approved) : recognisable(approved, way, { rows, ...parts }, hands);
  if (!quantity.ok) return quantity;
  const feeMax = quantity.value.of(fiat).share(way.feeBpsMax, "up");
  const mint: MintIntent = {
    asset: way.asset,
    blockchain: way.chain,
    quantity: quantity.value,
    destination: way.to,
    spentMax: quantity.value.of(fiat).plus(feeMax),
    feeMax,
    known: rows.map(idOfChange),
  };
  return moveFor(running, { kind: "mint", mint }, hands);
}

/** A wallet may have left either list since it was approved. */
function whyNotTo(
  { to, chain, asset }: MintWay,
  { wallets }: Pick<StewardParts, "wallets">,
  { soFar }: RunningPlan,
): string | undefined {
  if (to === undefined) return undefined;
  const own = wallets.find((wallet) => wallet.address === to && wallet.chain === chain);
  if (own === undefined)
    return `wallet ${printable(to, 80)} on ${chain} must stand in treasury.destinations, and does not`;
  return whyNotWhitelisted(own, asset, soFar.sight.addresses ?? []);
}

type Salting = Pick<StewardParts, "saltDecimals" | "random"> & { readonly rows: readonly SupplyChange[] };

function recognisable(
  approved: Quantity,
  { asset }: MintWay,
  { rows, saltDecimals: decimals, random }: Salting,
  { executor }: Hands,
): Result<Quantity> {
  const own = executor.treasury.mintsSince(millis(0)).flatMap((one) => (one.asset === asset ? [one.quantity] : []));
  const listed = rows.flatMap(({ quantity }) => (quantity === undefined ? [] : [quantity]));
  return saltedQuantity(approved, [...listed, ...own], { decimals, random });
}
