// The bands in force: those of treasury.targets, and what standing instructions keep.

import type { Config } from "./schema.ts";

type Band = Config["treasury"]["targets"][string] & { readonly maxCostBps?: number | undefined };

export function targetsOf({
  treasury,
  conversions,
}: Pick<Config, "treasury" | "conversions">): Readonly<Record<string, Band>> {
  const kept = Object.values(conversions).flatMap(({ keep, low, target, high, maxCostBps }) =>
    keep === undefined ? [] : [[keep, { low, target, high, maxCostBps }] as const],
  );
  return { ...treasury.targets, ...Object.fromEntries(kept) };
}
