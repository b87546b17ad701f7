// What a search shall be, from its flags: which parameters are searched, and every set of them checked before the first run.

import {
  type Axis,
  type Choice,
  gridPoints,
  type Point,
  parseChoice,
  randomPoints,
} from "../../../../backtest/search/parameter-space.ts";
import { valueText } from "../../../../backtest/search/ranking.ts";
import type { Objective, Search, Split } from "../../../../backtest/search/search-terms.ts";
import type { SweepPlan } from "../../../../backtest/search/sweep-plan.ts";
import { plainPriceRules } from "../../../../backtest/search/trial.ts";
import { prepareStrategy } from "../../../strategy/prepare.ts";
import { loadDefinition } from "../../bot/load-strategy.ts";
import { CommandFailure, orFail } from "../../command-failure.ts";
import { exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import { configOf, type PlanFlags, pricesOf, strategyNamed, syntheticBeside } from "../backtest/plan.ts";
import { type BaseTrial, baseTrial } from "../many/base-trial.ts";
import { leftOutText, type UnmetHoldings } from "./left-out.ts";
import { marketSets, marketSettings } from "./market-sets.ts";

export type SearchFlags = PlanFlags & {
  readonly search: Search;
  readonly runs?: number;
  readonly objective: Objective;
  readonly outOfSample: Split;
  readonly skipRefused?: true;
};

export type PlannedSweep = {
  readonly plan: SweepPlan;
  readonly base: BaseTrial;
  readonly leftOut: readonly UnmetHoldings[];
  /** Left out as well: they come to no market. */
  readonly noMarket: readonly UnmetHoldings[];
};

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
  const { outOfSample: split, search, objective } = flags;
  if (split.kind === "seeds" && flags.data !== "synthetic")
    throw new CommandFailure(
      exitCode.usage,
      "--out-of-sample seeds:N needs synthetic data: recorded prices have no seed",
    );
  const { points: taken, leftOut } = await fitting(shell, { ...flags, param: params.fixed }, axes);
  const made = flags.skipRefused ? marketSets(taken, axes, market.fixed) : { points: taken, noMarket: [] };
  const { points, noMarket } = made;
  if (noMarket.length > 0) {
    const many = `${noMarket.length} of ${taken.length}`;
    shell.terminal.note(`left out: the market refuses ${many} parameter sets: ${leftOutText(noMarket)}`);
  }
  const first = (from: readonly Axis[]): string[] => from.map((axis) => `${axis.name}=${textOf(points, axes, axis)}`);
  const base = await baseTrial(shell, {
    ...flags,
    param: [...params.fixed, ...first(params.axes)],
    market: [...market.fixed, ...first(market.axes)],
  });
  const config = await configOf(shell);
  const marketOf: SweepPlan["marketOf"] = (settings) => {
    const set = syntheticBeside([...market.fixed, ...settings], flags, base.options);
    return { market: set, prices: plainPriceRules(pricesOf(config, set), config.market.holidays) };
  };
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
  requireMarkets(plan);
  return { plan, base, leftOut, noMarket };
}

/** The sets that the strategy takes; one that it refuses ends the command, unless such are to be left out. */
async function fitting(
  shell: Shell,
  flags: SearchFlags,
  axes: readonly Axis[],
): Promise<{ readonly points: readonly Point[]; readonly leftOut: readonly UnmetHoldings[] }> {
  const wanted = pointsOf(flags, axes, flags.seed);
  const { use, params } = strategyNamed(flags, await configOf(shell));
  const definition = await loadDefinition(use);
  // What is wrong with the file is said where it is loaded with all that is said of it.
  if (!definition.ok) return { points: wanted, leftOut: [] };
  const leftOut: UnmetHoldings[] = [];
  const points = wanted.filter((point) => {
    const own = axes.flatMap(({ target, name }, place) => (target === "param" ? [[name, point[place]] as const] : []));
    const prepared = prepareStrategy(definition.value, { ...params, ...Object.fromEntries(own) });
    if (prepared.ok) return true;
    leftOut.push({ set: own.map(([name, value]) => `${name}=${valueText(value)}`).join(" "), reason: prepared.error });
    return false;
  });
  if (leftOut.length === 0) return { points, leftOut };
  const many = points.length === 0 ? `all ${wanted.length}` : `${leftOut.length} of ${wanted.length}`;
  const text = `the strategy refuses ${many} parameter sets: ${leftOutText(leftOut)}`;
  if (points.length === 0) throw new CommandFailure(exitCode.usage, `--param: ${text}`);
  if (flags.skipRefused !== true)
    throw new CommandFailure(exitCode.usage, `--param: ${text}`, "--skip-refused leaves them out");
  shell.terminal.note(`left out: ${text}`);
  return { points, leftOut };
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

/** A market that cannot be ends the command and not the run of its turn. */
function requireMarkets({ axes, points, marketOf }: SweepPlan): void {
  if (axes.every(({ target }) => target !== "market")) return;
  for (const point of points) marketOf(marketSettings(axes, point));
}
