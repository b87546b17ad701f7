// What several runs on the same recordings believed of each, as if they were one.

import type { NoFair } from "../../src/domain/fair.ts";
import type { Belief } from "./run-record.ts";

export function addedBeliefs(beliefs: readonly Belief[]): readonly Belief[] {
  const sums = new Map<string, Belief>();
  for (const one of beliefs) {
    const before = sums.get(one.name);
    sums.set(one.name, before === undefined ? one : sumOf(before, one));
  }
  return [...sums.values()];
}

function sumOf(one: Belief, other: Belief): Belief {
  const doubts = { ...one.doubts };
  for (const [doubt, count] of Object.entries(other.doubts) as [NoFair, number][])
    doubts[doubt] = (doubts[doubt] ?? 0) + count;
  return { ...one, looks: one.looks + other.looks, believed: one.believed + other.believed, doubts };
}
