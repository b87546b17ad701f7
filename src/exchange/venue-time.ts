// Before the first signed call of a key on this machine the venue's clock must be known, or a wrong clock of ours could
// push the key's nonce years ahead. So an unsigned call goes first, for its Date; those who wait share one.

import type { Budget } from "./budget/budget.ts";
import type { Failure, Reading, Want } from "./port.ts";

/** Gives back a failure when the venue's time stays unknown. */
export function venueTimeFirst(
  budget: Pick<Budget, "needsVenueTime">,
  ask: (want: Want) => Promise<Reading<unknown>>,
): (want: Want) => Promise<Failure | undefined> {
  return async (want) => {
    if (!budget.needsVenueTime()) return undefined;
    const { deadline } = want;
    const reading = await ask({ class: want.class, ...(deadline === undefined ? {} : { deadline }) });
    // A Date that was read is on its way into the ledger, also when another process holds the file at this moment.
    if ((reading.kind === "read" && reading.at !== undefined) || !budget.needsVenueTime()) return undefined;
    const cause =
      reading.kind === "failed" ? reading.failure.message : reading.kind === "dropped" ? reading.reason : "no Date";
    const status = reading.kind === "failed" ? reading.failure.status : undefined;
    const message = `the venue's time must be read before the first signed call, and was not: ${cause}`;
    return { code: "no-venue-time", status, venueCode: undefined, message };
  };
}
