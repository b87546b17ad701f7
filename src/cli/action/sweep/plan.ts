// What a search shall be, from its flags: which parameters are searched, and every set of them checked before the first run.

import { type Axis, type Choice, parseChoice } from "../../../../backtest/many/sweep/axis.ts";
import type { Objective } from "../../../../backtest/many/sweep/objective.ts";
import type { SweepPlan } from "../../../../backtest/many/sweep/plan.ts";
import type { Search } from "../../../../backtest/many/sweep/search.ts";
import { gridPoints, type Point, randomPoints } from "../../../../backtest/many/sweep/space.ts";
import type { Split } from "../../../../backtest/many/sweep/split.ts";
import { prepareStrategy } from "../../../strategy/prepare.ts";
import { CommandFailure, orFail } from "../../command-failure.ts";
import { exitCode } from "../../exit-code.ts";
import { marketParameters } from "../../market-parameters.ts";
import type { Shell } from "../../shell.ts";
import type { PlanFlags } from "../backtest/plan.ts";
import { type BaseTrial, baseTrial } from "../many/base-trial.ts";

export type SearchFlags = PlanFlags & {
  readonly search: Search;
  readonly runs?: number;
  readonly objective: Objective;
  readonly outOfSample: Split;
};

export type PlannedSweep = { readonly plan: SweepPlan; readonly base: BaseTrial };

const RUNS = 100;

export async function sweepPlan(shell: Shell, flags: SearchFlags): Promise<PlannedSweep> {
  const params = sorted("param", flags.param);
  const market = sorted("market", flags.market);
  const axes = [...params.axes, ...market.axes];
  if (axes.length === 0)
    throw new CommandFailure(
      exitCode.usage,
      "there must be a parameter to search: --param edgeBps=1..10:1 or --market pegs.VCHF.deviationBps=5,10,20",
    );
  const { outOfSample: split, search, objective, seed } = flags;
  if (split.kind === "seeds" && flags.data !== "synthetic")
    throw new CommandFailure(
      exitCode.usage,
      "--out-of-sample seeds:N needs synthetic data: recorded prices have no seed",
    );
  const points = pointsOf(flags, axes, seed);
  const first = (from: readonly Axis[]): string[] => from.map((axis) => `${axis.name}=${textOf(points, axes, axis)}`);
  const base = await baseTrial(shell, {
    ...flags,
    param: [...params.fixed, ...first(params.axes)],
    market: [...market.fixed, ...first(market.axes)],
  });
  const marketOf: SweepPlan["marketOf"] = (settings) =>
    marketParameters("--market", [...market.fixed, ...settings], flags, base.options.to);
  const searched = new Set(params.axes.map(({ name }) => name));
  const rest = Object.entries(base.trial.params).filter(([name]) => !searched.has(name));
  const plan = {
    base: { ...base.trial, params: Object.fromEntries(rest) },
    axes,
    points,
    search,
    objective,
    split,
    marketOf,
  };
  requireAllFit(plan, base);
  return { plan, base };
}

function sorted(
  target: Axis["target"],
  given: readonly string[],
): { readonly axes: readonly Axis[]; readonly fixed: readonly string[] } {
  const axes: Axis[] = [];
  const fixed: string[] = [];
  for (const text of given) {
    const at = text.indexOf("=");
    const name = text.slice(0, Math.max(0, at));
    const choice = parseChoice(text.slice(at + 1));
    if (!choice.ok) throw new CommandFailure(exitCode.usage, `--${target} ${name} ${choice.error}`);
    if (choice.value === undefined || at < 1) fixed.push(text);
    else if (axes.some((axis) => axis.name === name))
      throw new CommandFailure(exitCode.usage, `--${target} ${name} is there twice`);
    else axes.push({ target, name, choice: orderedChoice(choice.value) });
  }
  return { axes, fixed };
}

/** Numbers in their order, so that tables and maps have one. */
function orderedChoice(choice: Choice): Choice {
  if (choice.kind !== "list" || !choice.values.every((value) => typeof value === "number")) return choice;
  return { kind: "list", values: [...choice.values].sort((one, other) => (one as number) - (other as number)) };
}

function pointsOf({ search, runs }: SearchFlags, axes: readonly Axis[], seed: number): readonly Point[] {
  if (search !== "grid") return randomPoints(axes, runs ?? RUNS, seed);
  if (runs !== undefined)
    throw new CommandFailure(exitCode.usage, "--runs is for random and halving: a grid runs every parameter set");
  return orFail(gridPoints(axes));
}

/** The value of an axis in the first parameter set. */
function textOf(points: readonly Point[], axes: readonly Axis[], axis: Axis): string {
  const value = points[0]?.[axes.indexOf(axis)];
  return axis.target === "market" ? String(value) : (JSON.stringify(value) ?? "");
}

/** A set that a strategy refuses, or a market that cannot be, ends the command and not the run of its turn. */
function requireAllFit({ axes, points, base, marketOf }: SweepPlan, { options }: BaseTrial): void {
  const places = axes.map((axis, place) => ({ axis, place }));
  const params = places.filter(({ axis }) => axis.target === "param");
  const market = places.filter(({ axis }) => axis.target === "market");
  for (const point of points) {
    const own = Object.fromEntries(params.map(({ axis, place }) => [axis.name, point[place]]));
    const prepared = prepareStrategy(options.strategy.definition, { ...base.params, ...own });
    if (!prepared.ok) throw new CommandFailure(exitCode.usage, `--param ${prepared.error}`);
    if (market.length > 0) marketOf(market.map(({ axis, place }) => `${axis.name}=${point[place]}`));
  }
}
