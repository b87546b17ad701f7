// When a rolling limit has room again, once enough of its oldest items have left the window.

import { utcText } from "../domain/time-text.ts";

/** Counts for a limit until `leavesAt`. */
export type Counted<Amount> = { readonly amount: Amount; readonly leavesAt: number };

/** Undefined if it does not fit even into an empty window. */
export function roomFrom<Amount extends { plus(other: Amount): Amount }>(
  newestFirst: Iterable<Counted<Amount>>,
  none: Amount,
  fits: (counted: Amount) => boolean,
): string | undefined {
  if (!fits(none)) return undefined;
  let counted = none;
  for (const { amount, leavesAt } of newestFirst) {
    counted = counted.plus(amount);
    // Rounded up to the second, never too early.
    if (!fits(counted)) return utcText(Math.ceil(leavesAt / 1_000) * 1_000);
  }
  return undefined;
}
