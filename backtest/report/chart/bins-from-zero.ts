// Values in bars of equal width that are counted from zero, so that no bar holds gains and losses; zero is with what lies above it.

import { compact } from "./spec.ts";

export type Bins = { readonly edges: readonly number[]; readonly counts: readonly number[] };

/** `values`: one or more. */
export function binsFromZero(values: ArrayLike<number> & Iterable<number>, width: number): Bins {
  const binOf = (value: number): number => Math.floor(value / width);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const first = binOf(low);
  const counts = Array.from({ length: binOf(high) - first + 1 }, () => 0);
  for (const value of values) {
    const bin = binOf(value) - first;
    counts[bin] = (counts[bin] as number) + 1;
  }
  const edges = Array.from({ length: counts.length + 1 }, (_, bin) => compact((first + bin) * width) ?? 0);
  return { edges, counts };
}
