// Whether the balances have once shown that what paid for a mint, or went to a bank, is gone. Only since then can they show that it
// is back: balances that are behind look the same, however far behind they are. It is put on record, so that a restart knows it.

import type { Asset } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import type { MintRecord } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import { LEFT, type MovementReport } from "../domain/movement.ts";
import { wordOf } from "../domain/venue-word.ts";
import { totalOf } from "./balance-vote.ts";
import type { Held } from "./kept/held.ts";
import { touches } from "./mint-cost.ts";
import type { MovementTold } from "./movement-report.ts";
import { compareTotals, type Mover } from "./totals.ts";

/** Booked as gone, and never seen to be. */
export type Unseen = { readonly id: string; readonly spent: Money };

/** What is to be told of it as soon as the balances show it; undefined where that is on record, or the venue has no word for it yet. */
export function goneReport(told: MovementTold | undefined): MovementReport | undefined {
  if (told?.stage !== "departed" || told.status === undefined || told.isShownGone) return undefined;
  return { kind: "told", status: told.status, reason: LEFT };
}

/** Whether balances that have its money may be from before it left: the list has it as on its way, or there, and nobody saw it go. */
export function mayBeBefore(told: MovementTold | undefined): boolean {
  if (told?.status === undefined || told.isShownGone) return false;
  const word = wordOf(told.status);
  return word === "pending" || word === "held" || word === "settled";
}

export function unseenMints(open: Iterable<Held>): readonly Unseen[] {
  const unseen: Unseen[] = [];
  for (const { kind, id, state, movement } of open) {
    if (kind !== "mint" || !("receipt" in state) || goneReport(movement) === undefined) continue;
    const { spent } = state.receipt as MintRecord;
    if (spent !== undefined && !spent.isZero()) unseen.push({ id, spent });
  }
  return unseen;
}

/** Those that the balances show to be gone in whatever way the rest is explained. `movers`: what else may have moved them. */
export function shownGone(
  unseen: readonly Unseen[],
  rows: readonly Balance[],
  held: (asset: Asset) => Money | undefined,
  movers: readonly Mover[],
): readonly string[] {
  const said = unseen.filter(({ spent: { asset } }) => isSaid(rows, asset, held(asset)));
  if (said.length === 0) return [];
  const leaving = said.map(({ id, spent }): Mover => {
    const change = spent.negated();
    return { id, booked: true, isFree: true, movements: [{ least: change, most: change }] };
  });
  // One that was booked lately is among them already.
  const isOwn = ({ id, booked }: Mover, one: Unseen): boolean => booked && id === one.id;
  const others = movers.filter((mover) => !said.some((one) => isOwn(mover, one) && touches(mover, one.spent.asset)));
  const { moved } = compareTotals(rows, held, [...others, ...leaving], []);
  return leaving.flatMap((one) => (moved.includes(one) ? [one.id] : []));
}

/** Some venues leave out rows of nothing. */
function isSaid(rows: readonly Balance[], asset: Asset, ledger: Money | undefined): boolean {
  const row = rows.find((one) => one.asset === asset);
  return row === undefined ? ledger?.isZero() === true : totalOf(row) !== undefined;
}
