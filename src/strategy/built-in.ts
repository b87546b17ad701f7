// The strategies that come with pegbot, by the names that a configuration uses.

import type { Result } from "../domain/result.ts";
import { crossRate } from "./cross-rate.ts";
import { pegArbitrage } from "./peg-arbitrage.ts";
import { prepareStrategy, type Strategy } from "./prepare.ts";
import { rebalancer } from "./rebalancer.ts";
import { referenceTaker } from "./reference-taker.ts";
import { twap } from "./twap.ts";
import { virtualGrid } from "./virtual-grid.ts";

const BUILT_IN = {
  "peg-arbitrage": pegArbitrage,
  "reference-taker": referenceTaker,
  rebalancer,
  twap,
  "virtual-grid": virtualGrid,
  "cross-rate": crossRate,
} as const;

export type BuiltInName = keyof typeof BUILT_IN;

export const builtInNames = Object.keys(BUILT_IN) as readonly BuiltInName[];

export function isBuiltIn(name: string): name is BuiltInName {
  return Object.hasOwn(BUILT_IN, name);
}

export function builtInDefinition(name: BuiltInName): unknown {
  return BUILT_IN[name];
}

export function prepareBuiltIn(name: BuiltInName, params: unknown): Result<Strategy> {
  return prepareStrategy(BUILT_IN[name], params);
}
