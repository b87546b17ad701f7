// A part of all plans: what each door may still do, and what is looked for there.

/** A number of lots from low to high; or none, where that is still open. */
export type Range = { readonly mayRest: boolean; readonly low: number; readonly high: number };
export type Box = readonly Range[];

export const CLOSED: Range = Object.freeze({ mayRest: true, low: 0, high: 0 });

/** `missed`: as little as possible is missed. `cost`: as little as possible is paid while no more than so much is missed. */
export type Goal = { readonly kind: "missed" } | { readonly kind: "cost"; readonly missedMax: bigint };

/** What a miss costs per unit of value: in search of the least miss by itself, in search of the least cost more than any door. */
export function missPriceOf(goal: Goal): number {
  return goal.kind === "missed" ? 1 : 1_000;
}

/** The fewest lots that a range allows. */
export function fewest({ mayRest, low }: Range): number {
  return mayRest ? 0 : low;
}
