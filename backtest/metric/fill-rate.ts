// How Fill-or-Kill orders ended: the part that filled of those sent, and every end by its reason.
// Formula: filled / (filled + killed + rejected + presumed dead); not sent and still in doubt are counted apart

import { type RunRecord, UNFILLED_ENDS, type UnfilledEnd } from "../record/run-record.ts";
import { enough, type Figure, known, notAvailable } from "./basis/figure.ts";

export type FillRate = {
  readonly rate: number;
  readonly filled: number;
  readonly orders: number;
  readonly ends: Readonly<Record<UnfilledEnd, number>>;
};

/** No answer of the venue decided these. */
const APART: readonly UnfilledEnd[] = ["not-sent", "doubt"];

export function fillRate({ fills, unfilled }: Pick<RunRecord, "fills" | "unfilled">): Figure<FillRate> {
  const ends = Object.fromEntries(UNFILLED_ENDS.map((name) => [name, 0])) as Record<UnfilledEnd, number>;
  for (const end of unfilled.end) ends[UNFILLED_ENDS[end] as UnfilledEnd]++;
  const orders = fills.length + unfilled.length;
  const decided = orders - APART.reduce((sum, name) => sum + ends[name], 0);
  if (decided === 0 && orders > 0)
    return notAvailable(
      `the venue decided none of ${orders} orders: ${APART.map((name) => `${ends[name]} ${name}`).join(", ")}`,
    );
  return enough(decided, "orders", 1) ?? known({ rate: fills.length / decided, filled: fills.length, orders, ends });
}
