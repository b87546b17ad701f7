// The synthetic market as a command line wants it: the defaults, with single parameters set by name.

import { setParameters, settingIn } from "../../../backtest/data/parameter-setting.ts";
import { usageFailure } from "../../app/command-failure.ts";
import type { Millis } from "../../domain/time.ts";
import { DEFAULT_MARKET, type MarketParameters, withoutEdge } from "../../simulator/market/parameters.ts";

export type MarketFlags = {
  /** False with --no-edge. */
  readonly edge: boolean;
  readonly weekends?: true;
};

/** The market knows so many steps of its grid since 1970. */
const CELLS_MAX = 2 ** 34;

/** `flag` is what the settings were given with; `to` is the last moment that prices are asked for. */
export function marketParameters(
  flag: string,
  settings: readonly string[],
  { edge, weekends }: MarketFlags,
  to: Millis,
): MarketParameters {
  const set = setParameters(DEFAULT_MARKET, settings);
  if (!set.ok) throw usageFailure(`${flag} ${set.error}`);
  const weekly: MarketParameters = weekends ? { ...set.value, weekendCloses: true } : set.value;
  const { gridMs, depthEpochMs } = weekly;
  if (to / gridMs >= CELLS_MAX)
    throw usageFailure(`${flag} gridMs must be ${Math.ceil(to / CELLS_MAX)} or more, was ${gridMs}`);
  if (depthEpochMs % gridMs !== 0) throw usageFailure(`${flag} depthEpochMs must be whole steps of gridMs`);
  const made = edge ? weekly : withoutEdge(weekly);
  requireKept(flag, settings, { set: set.value, weekly, made });
  return made;
}

type Stages = Readonly<Record<"set" | "weekly" | "made", MarketParameters>>;

/** Whoever searches over what a flag takes back would find that it has no effect. */
function requireKept(flag: string, settings: readonly string[], { set, weekly, made }: Stages): void {
  const undone = settings.find((setting) => settingIn(made, setting) !== settingIn(set, setting));
  if (undone === undefined) return;
  const by = settingIn(weekly, undone) === settingIn(set, undone) ? "--no-edge" : "--weekends";
  throw usageFailure(`${flag} ${undone} and ${by} contradict each other`, "give one of them");
}
