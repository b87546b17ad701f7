// The planning problem without its words: pots that shall end within bounds, and doors that move lots between them. Every
// amount is a whole number of the same unit of value, so that feasibility and cost are exact; what cannot be reached is
// missed by as little as possible first, and only then does cost decide.

export type ProgramPot = {
  /** What the doors may take from it. */
  readonly available: bigint;
  /** What is there, with all that is on its way, before the plan. */
  readonly have: bigint;
  readonly low: bigint | undefined;
  readonly high: bigint | undefined;
};

/** Used with a whole number of lots from min to max, or not at all. */
export type ProgramDoor = {
  readonly from: number;
  readonly to: number;
  readonly min: number;
  readonly max: number;
  /** Per lot. */
  readonly takes: bigint;
  readonly brings: bigint;
  readonly cost: bigint;
  /** Once, when it is used at all. */
  readonly keeps: bigint;
  readonly costOnce: bigint;
  readonly exclusive: Exclusive | undefined;
};

/** Of the doors of a group only those of one side are used: there is one mint of a coin at a time, and a pair is not traded both ways. */
export type Exclusive = { readonly group: string; readonly side: string };

export function excludes(one: Exclusive | undefined, other: Exclusive | undefined): boolean {
  return one !== undefined && one.group === other?.group && one.side !== other.side;
}

export type Program = { readonly pots: readonly ProgramPot[]; readonly doors: readonly ProgramDoor[] };

export type Score = { readonly missed: bigint; readonly cost: bigint };

/** What so many lots through each door come to; undefined when they take more than there is. */
export function scoreOf({ pots, doors }: Program, lots: readonly number[]): Score | undefined {
  const taken = pots.map(() => 0n);
  const brought = pots.map(() => 0n);
  let cost = 0n;
  doors.forEach((door, index) => {
    const count = lots[index] ?? 0;
    if (count === 0) return;
    taken[door.from] = (taken[door.from] as bigint) + takenBy(door, count);
    brought[door.to] = (brought[door.to] as bigint) + broughtBy(door, count);
    cost += costOf(door, count);
  });
  let missed = 0n;
  for (const [index, pot] of pots.entries()) {
    if ((taken[index] as bigint) > pot.available) return undefined;
    missed += missedBy(pot, pot.have - (taken[index] as bigint) + (brought[index] as bigint));
  }
  return { missed, cost };
}

export function missedBy({ low, high }: Pick<ProgramPot, "low" | "high">, amount: bigint): bigint {
  if (low !== undefined && amount < low) return low - amount;
  return high !== undefined && amount > high ? amount - high : 0n;
}

export function takenBy({ takes }: ProgramDoor, lots: number): bigint {
  return takes * BigInt(lots);
}

export function broughtBy({ brings, keeps }: ProgramDoor, lots: number): bigint {
  return lots === 0 ? 0n : brings * BigInt(lots) - keeps;
}

export function costOf({ cost, costOnce }: ProgramDoor, lots: number): bigint {
  return lots === 0 ? 0n : cost * BigInt(lots) + costOnce;
}

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
