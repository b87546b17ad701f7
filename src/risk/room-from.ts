// From when on there is room in a limit over some time, once as much of the oldest as must is no longer of that time.

import { utcText } from "../domain/time-text.ts";

/** Counts for a limit until `leavesAt`. */
export type Counted<Amount> = { readonly amount: Amount; readonly leavesAt: number };

/** Undefined where it does not fit beside nothing either. */
export function roomFrom<Amount extends { plus(other: Amount): Amount }>(
  newestFirst: Iterable<Counted<Amount>>,
  none: Amount,
  fits: (counted: Amount) => boolean,
): string | undefined {
  if (!fits(none)) return undefined;
  let counted = none;
  for (const { amount, leavesAt } of newestFirst) {
    counted = counted.plus(amount);
    // To the second, and not a moment too early.
    if (!fits(counted)) return utcText(Math.ceil(leavesAt / 1_000) * 1_000);
  }
  return undefined;
}
