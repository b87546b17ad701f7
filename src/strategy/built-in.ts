// The built-in strategies by name.

import type { Result } from "../domain/result.ts";
import { blindTaker } from "./blind-taker.ts";
import type { BuiltInName } from "./built-in-names.ts";
import { pegArbitrage } from "./peg-arbitrage.ts";
import { prepareStrategy, type Strategy } from "./prepare.ts";
import { referenceTaker } from "./reference-taker.ts";
import { twap } from "./twap.ts";

const BUILT_IN = {
  "peg-arbitrage": pegArbitrage,
  "reference-taker": referenceTaker,
  twap,
  "blind-taker": blindTaker,
  // Orders nothing: conversions and targets alone move money.
  hold: { name: "hold", decide: () => undefined },
} as const satisfies Readonly<Record<BuiltInName, unknown>>;

export function builtInDefinition(name: BuiltInName): unknown {
  return BUILT_IN[name];
}

export function prepareBuiltIn(name: BuiltInName, params: unknown): Result<Strategy> {
  return prepareStrategy(BUILT_IN[name], params);
}
