// Orders that the venue's balances may or may not show yet: those in doubt, and fills that are booked and were not seen
// in the balances so far.

import type { Fill } from "../domain/order.ts";
import type { OrderIntent } from "../domain/step.ts";
import { orderMovements } from "./balance-vote.ts";
import { reservationOf } from "./reservation.ts";
import type { Moment } from "./submission.ts";
import type { Held } from "./submissions.ts";
import { fillMovements, type Mover } from "./totals.ts";

export type MovementBounds = {
  readonly feeBpsMax: number;
  /** How much better than its limit an order may fill. */
  readonly betterBpsMax: number;
};

/** A booked fill counts for as long as balances may be late. */
export function moversOf(
  open: Iterable<Held>,
  { feeBpsMax, betterBpsMax }: MovementBounds,
  now: Moment,
  patienceMs: number,
): readonly Mover[] {
  const movers: Mover[] = [];
  for (const held of open) {
    const { kind, id, request, state } = held.submission;
    if (kind !== "order" || state.kind === "intended") continue;
    const order = request as OrderIntent;
    const reservation = reservationOf(state);
    if (reservation === "both-ways")
      movers.push({ id, booked: false, movements: orderMovements(order, feeBpsMax, betterBpsMax) });
    else if ("receipt" in state && mayBeLate(held, now, patienceMs))
      movers.push({ id, booked: true, movements: fillMovements(order, state.receipt as Fill) });
  }
  return movers;
}

/** Booked, not seen in the balances, and not for so long that they must show it. */
export function mayBeLate(
  { submission, isMoved, bookedAt, bookedFrom }: Held,
  now: Moment,
  patienceMs: number,
): boolean {
  if (isMoved || bookedAt === undefined || reservationOf(submission.state) !== "booked") return false;
  const ageMs = bookedFrom === undefined ? now.at - bookedAt : now.mono - bookedFrom;
  return ageMs < patienceMs;
}
