// Loads the strategy that a configuration names, built in or a user's file, and checks its parameters.

import type { Config } from "../../config/schema.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { builtInDefinition, prepareBuiltIn } from "../../strategy/built-in.ts";
import { isBuiltIn } from "../../strategy/built-in-names.ts";
import { loadDefinitionFile, loadStrategyFile } from "../../strategy/load-file.ts";
import type { Strategy } from "../../strategy/prepare.ts";

const EXPLORED = 0.05;

/** `imported` receives each module that a strategy file imports; `explores`: a simulation of a venue without quotes. */
export async function loadStrategy(
  { use, params }: Config["strategy"],
  imported?: (specifier: string) => void,
  explores = false,
): Promise<Result<Strategy>> {
  if (!isBuiltIn(use)) return loadStrategyFile(use, params, imported);
  const isTaker = explores && use !== "twap";
  const prepared = prepareBuiltIn(use, isTaker ? { exploreShare: EXPLORED, ...params } : params);
  return prepared.ok ? prepared : err(`strategy ${use}: ${prepared.error}`);
}

/** For callers that prepare it with many parameter sets. */
export async function loadDefinition(use: string): Promise<Result<unknown>> {
  return isBuiltIn(use) ? ok(builtInDefinition(use)) : loadDefinitionFile(use);
}
