import type { Money } from "../../domain/money/money.ts";
import type { Flight } from "../../domain/movement.ts";
import { isHeld } from "../../domain/settlement-status.ts";

/** The haircut on money in transit, in basis points: it may arrive late or short. */
export type Haircuts = { readonly bps: number; readonly heldBps: number };

/** Rounded up, to err on the careful side. */
export function haircutOf({ comes, status }: Pick<Flight, "comes" | "status">, { bps, heldBps }: Haircuts): Money {
  return comes.share(isHeld(status) ? heldBps : bps, "up");
}
