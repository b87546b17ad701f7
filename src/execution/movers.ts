// What the venue's balances may or may not show yet: orders and mints in doubt, what is booked and was not seen in the
// balances so far, and coins in flight, which a venue may count as pending or not at all.

import { hasSettled, type MintIntent, type MintRecord } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { OrderIntent } from "../domain/step.ts";
import { DOUBTS_MAX, orderMovements } from "./balance-vote.ts";
import type { Held } from "./kept/held.ts";
import { isUncosted } from "./mint-cost.ts";
import { reservationOf } from "./reservation.ts";
import type { Moment, Submission } from "./submission.ts";
import { fillMovements, type Mover } from "./totals.ts";

/** A booked fill counts for as long as balances may be late. */
export function moversOf(open: readonly Held[], feeBpsMax: number, now: Moment, patienceMs: number): readonly Mover[] {
  const movers: Mover[] = [];
  for (const held of open.length > DOUBTS_MAX ? asBooked(open) : open) {
    const { kind, id, request, state } = held;
    if (kind === "mint") movers.push(...mintMovers(held, now, patienceMs));
    if (kind !== "order" || state.kind === "intended") continue;
    const order = request as OrderIntent;
    const reservation = reservationOf(state);
    if (reservation === "both-ways") movers.push({ id, booked: false, movements: orderMovements(order, feeBpsMax) });
    else if ("receipt" in state && mayBeLate(held, now, patienceMs))
      movers.push({ id, booked: true, movements: fillMovements(order, state.receipt as Fill) });
  }
  return movers;
}

/** In the order of sending, which is not that of deciding: a slot goes to whichever order is worth the most by then. */
function asBooked(open: readonly Held[]): readonly Held[] {
  return open.toSorted((one, other) => (one.bookedAt ?? 0) - (other.bookedAt ?? 0));
}

/** What pays for a mint and what it brings are two movers: hours lie between them. */
function mintMovers(held: Held, now: Moment, patienceMs: number): readonly Mover[] {
  const { id, state, request } = held as Submission as Submission<"mint">;
  const { asset, quantity, destination, spentMax } = request;
  if (state.kind === "intended" || reservationOf(state) === "freed") return [];
  const isSettled = "receipt" in state && hasSettled(state.receipt);
  const coming = destination === undefined ? [{ ...moverOf(id, false, quantity.of(asset)), isSettled }] : [];
  // Nobody has said what a mint cost that was found in the list.
  if (reservationOf(state) === "both-ways" || isUncosted(held)) {
    const movements = [{ least: spentMax.negated(), most: quantity.of(spentMax.asset).negated() }];
    return [{ id, booked: false, movements }, ...coming];
  }
  if (!("receipt" in state) || !mayBeLate(held, now, patienceMs)) return coming;
  return [...spentOf(request, state.receipt).map((spent) => moverOf(id, true, spent.negated())), ...coming];
}

/** What left for the mint: one amount, or two where the fee is in another asset. */
function spentOf(request: MintIntent, { spent, fee }: MintRecord): readonly Money[] {
  const paid = spent ?? request.quantity.of(request.spentMax.asset);
  return fee === undefined || fee.asset === paid.asset || fee.isZero() ? [paid] : [paid, fee];
}

function moverOf(id: string, booked: boolean, change: Money): Mover {
  return { id, booked, movements: [{ least: change, most: change }] };
}

/** It is booked and not seen in the balances, and it is too early for them to have to show it. */
export function mayBeLate({ state, isMoved, bookedAt, bookedFrom }: Held, now: Moment, patienceMs: number): boolean {
  if (isMoved || bookedAt === undefined || reservationOf(state) !== "booked") return false;
  const ageMs = bookedFrom === undefined ? now.at - bookedAt : now.mono - bookedFrom;
  return ageMs < patienceMs;
}
