// The synthetic market from the command line: a scenario, with single parameters set by name.

import { existsSync, readFileSync } from "node:fs";
import { Option } from "commander";
import { usageFailure } from "../../domain/command-failure.ts";
import { SCENARIO_NAMES } from "../../domain/scenario.ts";
import type { Millis } from "../../domain/time.ts";
import { type MarketParameters, withoutEdge } from "../../simulator/market/parameters.ts";
import { scenarioIn, setParameters } from "../../simulator/market/scenario.ts";

export const MARKET_HELP = `${SCENARIO_NAMES.join(", ")} or a file of \`market fit\`; name=value sets a parameter; may be repeated`;

/** The settings so far and one more; a file stands for its settings. */
export function marketSettings(value: string, before: readonly string[]): readonly string[] {
  if (value.includes("=") || (SCENARIO_NAMES as readonly string[]).includes(value) || !existsSync(value))
    return [...before, value];
  return [
    ...before,
    ...readFileSync(value, "utf8")
      .split("\n")
      .filter((line) => !/^\s*(#|$)/.test(line))
      .map((line) => line.trim()),
  ];
}

export type MarketFlags = {
  /** False with --no-edge. */
  readonly edge: boolean;
  readonly weekends?: true;
  readonly quotes?: Shown;
};

const SHOWN = ["get", "absent"] as const;
export type Shown = (typeof SHOWN)[number];

export function quotesOption(): Option {
  return new Option("--quotes <shown>", "absent: a venue that shows no quotes; get: one that does").choices(SHOWN);
}

/** The market has this many grid steps since 1970. */
const CELLS_MAX = 2 ** 34;

/** `flag` is the flag of the settings, for messages; `to` is the last time that needs prices. */
export function marketParameters(
  flag: string,
  settings: readonly string[],
  { edge, weekends, quotes }: MarketFlags,
  to: Millis,
): MarketParameters {
  const { base: scenario, rest } = scenarioIn(settings);
  const quoted = edge ? scenario : withoutEdge(scenario);
  const base = quotes ? { ...quoted, venue: { ...quoted.venue, quotesShown: quotes === "get" } } : quoted;
  // A single setting overrides a flag that sets several.
  const set = setParameters(weekends ? { ...base, weekendCloses: true } : base, rest);
  if (!set.ok) throw usageFailure(`${flag} ${set.error}`);
  const { gridMs, depthEpochMs } = set.value;
  if (to / gridMs >= CELLS_MAX)
    throw usageFailure(`${flag} gridMs must be ${Math.ceil(to / CELLS_MAX)} or more, was ${gridMs}`);
  if (depthEpochMs % gridMs !== 0) throw usageFailure(`${flag} depthEpochMs must be whole steps of gridMs`);
  return set.value;
}
