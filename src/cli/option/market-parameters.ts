// The synthetic market from the command line: the defaults, with single parameters set by name.

import { setParameters } from "../../../backtest/data/synthetic.ts";
import { usageFailure } from "../../app/command-failure.ts";
import type { Millis } from "../../domain/time.ts";
import { DEFAULT_MARKET, type MarketParameters, withoutEdge } from "../../simulator/market/parameters.ts";

export type MarketFlags = {
  /** False with --no-edge. */
  readonly edge: boolean;
  readonly weekends?: true;
};

/** The market has this many grid steps since 1970. */
const CELLS_MAX = 2 ** 34;

/** `flag` is the flag of the settings, for messages; `to` is the last time that needs prices. */
export function marketParameters(
  flag: string,
  settings: readonly string[],
  { edge, weekends }: MarketFlags,
  to: Millis,
): MarketParameters {
  const base = edge ? DEFAULT_MARKET : withoutEdge(DEFAULT_MARKET);
  // A single setting overrides a flag that sets several.
  const set = setParameters(weekends ? { ...base, weekendCloses: true } : base, settings);
  if (!set.ok) throw usageFailure(`${flag} ${set.error}`);
  const { gridMs, depthEpochMs } = set.value;
  if (to / gridMs >= CELLS_MAX)
    throw usageFailure(`${flag} gridMs must be ${Math.ceil(to / CELLS_MAX)} or more, was ${gridMs}`);
  if (depthEpochMs % gridMs !== 0) throw usageFailure(`${flag} depthEpochMs must be whole steps of gridMs`);
  return set.value;
}
