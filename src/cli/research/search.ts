// Plans a search from its flags: the searched parameters, with every set checked before the first run.

import { type Command, Option } from "commander";
import { assumptionsOf } from "../../../backtest/assumption.ts";
import type { BacktestOptions } from "../../../backtest/options.ts";
import {
  type Axis,
  type Choice,
  gridPoints,
  type Point,
  parseChoice,
  sobolPoints,
} from "../../../backtest/search/parameter-space.ts";
import { valueText } from "../../../backtest/search/ranking.ts";
import {
  OBJECTIVES,
  type Objective,
  SEARCHES,
  type Search,
  type Split,
} from "../../../backtest/search/search-terms.ts";
import type { SweepPlan } from "../../../backtest/search/sweep-plan.ts";
import { limitsText, plainPriceRules, type Trial } from "../../../backtest/search/trial.ts";
import {
  type HashedColumns,
  hashedColumns,
  strategyDigest,
  type TrialFiles,
} from "../../../backtest/search/trial-files.ts";
import { loadDefinition } from "../../app/bot/load-strategy.ts";
import type { Shell } from "../../app/shell.ts";
import { orFail, usageFailure } from "../../domain/command-failure.ts";
import { invariant } from "../../domain/invariant.ts";
import { marketIn } from "../../simulator/market/scenario.ts";
import { isBuiltIn } from "../../strategy/built-in-names.ts";
import { prepareStrategy } from "../../strategy/prepare.ts";
import { wholeNumber } from "../option/values.ts";
import { configOf, type PlanFlags, planOf, pricesOf, shownBy, strategyNamed, syntheticBeside } from "./plan.ts";
import { openRecordings } from "./recordings.ts";

export type SearchFlags = PlanFlags & {
  readonly search: Search;
  readonly runs?: number;
  /** Sets for the strategy's kernel, and how many of the best the bot runs. */
  readonly screen?: number;
  readonly then?: number;
  readonly objective: Objective;
  readonly outOfSample: Split;
  readonly inSample?: number;
  readonly skipRefused?: true;
};

export type PlannedSweep = {
  readonly plan: SweepPlan;
  readonly base: BaseTrial;
  readonly leftOut: readonly LeftOut[];
};

const RUNS = 100;

export async function sweepPlan(shell: Shell, flags: SearchFlags): Promise<PlannedSweep> {
  const params = sorted("param", flags.param);
  const market = sorted("market", flags.market);
  const axes = [...params.axes, ...market.axes];
  if (axes.length === 0)
    throw usageFailure(
      "there must be a parameter to search: --param edgeBps=1..10:1 or --market pegs.VCHF.deviationBps=5,10,20",
    );
  const { outOfSample, inSample: choosing, search, objective } = flags;
  if (choosing !== undefined && outOfSample.kind !== "seeds")
    throw usageFailure("--in-sample seeds:N needs --out-of-sample seeds:N");
  const split: Split =
    choosing === undefined || outOfSample.kind !== "seeds" ? outOfSample : { ...outOfSample, choosing };
  if (split.kind === "seeds" && flags.data !== "synthetic")
    throw usageFailure("--out-of-sample seeds:N needs synthetic data: recorded prices have no seed");
  const { points, leftOut } = await fitting(shell, { ...flags, param: params.fixed, market: market.fixed }, axes);
  const first = (from: readonly Axis[]): string[] => from.map((axis) => `${axis.name}=${textOf(points, axes, axis)}`);
  const base = await baseTrial(shell, {
    ...flags,
    param: [...params.fixed, ...first(params.axes)],
    market: [...market.fixed, ...first(market.axes)],
  });
  const config = await configOf(shell);
  const marketOf: SweepPlan["marketOf"] = (settings) => {
    const set = syntheticBeside([...market.fixed, ...settings], shownBy(flags, config), base.options);
    return { market: set, prices: plainPriceRules(pricesOf(config, set), config.market.holidays) };
  };
  const searched = new Set(params.axes.map(({ name }) => name));
  const rest = Object.entries(base.trial.params).filter(([name]) => !searched.has(name));
  const trial = { ...base.trial, params: Object.fromEntries(rest) };
  const plan = { base: trial, axes, points, search, objective, split, marketOf };
  requireMarkets(plan);
  return { plan, base, leftOut };
}

/**
 * The sets that strategy and market accept. A refused set ends the command, unless refused sets are skipped: some
 * parameters depend on each other.
 */
async function fitting(
  shell: Shell,
  flags: SearchFlags,
  axes: readonly Axis[],
): Promise<{ readonly points: readonly Point[]; readonly leftOut: readonly LeftOut[] }> {
  const wanted = pointsOf(flags, axes, flags.seed);
  const { use, params } = strategyNamed(flags, await configOf(shell));
  const definition = await loadDefinition(use);
  // Problems of the file are reported in full where it is loaded.
  if (!definition.ok) return { points: wanted, leftOut: [] };
  const leftOut: LeftOut[] = [];
  const points = wanted.filter((point) => {
    const own = axes.flatMap(({ target, name }, place) => (target === "param" ? [[name, point[place]] as const] : []));
    const market = marketSettings(axes, point);
    const prepared = prepareStrategy(definition.value, { ...params, ...Object.fromEntries(own) });
    const made = marketIn([...flags.market, ...market]);
    if (!prepared.ok) {
      const set = own.map(([name, value]) => `${name}=${valueText(value)}`).join(" ");
      leftOut.push({ set, reason: prepared.error });
    } else if (!made.ok && flags.skipRefused) leftOut.push({ set: market.join(" "), reason: made.error });
    return prepared.ok && (made.ok || !flags.skipRefused);
  });
  if (leftOut.length === 0) return { points, leftOut };
  const many = points.length === 0 ? `all ${wanted.length}` : `${leftOut.length} of ${wanted.length}`;
  const text = `${many} parameter sets are refused: ${leftOutText(leftOut)}`;
  if (points.length === 0 || !flags.skipRefused)
    throw usageFailure(`--param: ${text}`, points.length === 0 ? undefined : "--skip-refused leaves them out");
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
    if (!choice.ok) throw usageFailure(`--${target} ${name} ${choice.error}`);
    if (choice.value === undefined || at < 1) fixed.push(text);
    else if (axes.some((axis) => axis.name === name)) throw usageFailure(`--${target} ${name} is there twice`);
    else axes.push({ target, name, choice: orderedChoice(choice.value) });
  }
  return { axes, fixed };
}

/** Sorts numbers, for tables and maps. */
function orderedChoice(choice: Choice): Choice {
  if (choice.kind !== "list" || !choice.values.every((value) => typeof value === "number")) return choice;
  return { kind: "list", values: [...choice.values].sort((one, other) => (one as number) - (other as number)) };
}

function pointsOf({ search, runs, screen }: SearchFlags, axes: readonly Axis[], seed: number): readonly Point[] {
  if (screen !== undefined) return orFail(sobolPoints(axes, screen, seed));
  if (search !== "grid") return orFail(sobolPoints(axes, runs ?? RUNS, seed));
  if (runs !== undefined) throw usageFailure("--runs is for sobol: a grid runs every parameter set");
  return orFail(gridPoints(axes));
}

/** The value of an axis in the first parameter set. */
function textOf(points: readonly Point[], axes: readonly Axis[], axis: Axis): string {
  const value = points[0]?.[axes.indexOf(axis)];
  return axis.target === "market" ? String(value) : (JSON.stringify(value) ?? "");
}

/** An impossible market ends the command here and not a run later. */
function requireMarkets({ axes, points, marketOf }: SweepPlan): void {
  if (axes.every(({ target }) => target !== "market")) return;
  for (const point of points) marketOf(marketSettings(axes, point));
}

const RUNS_MAX = 100_000;
export const workers = wholeNumber(1, 256);

/** `name` is that of the command, and the default name of its files. */
export function declareSearch(command: Command, name: string): Command {
  return command
    .addOption(new Option("--search <how>", "which parameter sets are run").choices(SEARCHES).default("grid"))
    .option("--runs <n>", "parameter sets of a Sobol search (100)", wholeNumber(1, RUNS_MAX))
    .option("--skip-refused", "leave out parameter sets that strategy or market refuses, and say which")
    .addOption(
      new Option("--objective <figure>", "what is looked for").choices(OBJECTIVES).default("sharpe-over-holding"),
    )
    .option("--workers <n>", "processes; otherwise one for each core", workers)
    .option("--queue <address>", "run them on the workers of a queue: redis://host:6379, or rediss:// with TLS")
    .option("--insecure-queue <host>", "the host of a queue that may go without TLS and password")
    .option("--db <file>", "where results are kept, a name that ends in .db", `${name}.db`)
    .option("--out <file>", "the report, a name that ends in .html", `${name}.html`);
}

export type BaseTrial = {
  readonly trial: Trial;
  /** The same trial as a backtest, with the strategy prepared. */
  readonly options: BacktestOptions;
  readonly ground: TrialFiles;
};

export async function baseTrial(shell: Shell, flags: PlanFlags): Promise<BaseTrial> {
  const recordings = await openRecordings(shell, flags, "whole");
  const options = await planOf(shell, flags, recordings);
  if (options.rebalancer !== undefined)
    throw usageFailure(
      "the configuration has treasury targets, which many runs do not keep",
      "leave the section treasury out of the file that --config names",
    );
  const config = await configOf(shell);
  const named = strategyNamed(flags, config);
  const digest = isBuiltIn(named.use) ? undefined : orFail(strategyDigest(named.use));
  const columns = recordings.map(({ source }) => hashedColumns(source));
  const { seed, from, to, funds, market, references, terms, limits, par, codeVersion, traded, prices, ...rest } =
    options;
  const { strategy: _, protocol: __, recordings: ___, ...lost } = rest;
  // An option that trials lack would silently be missing from many runs.
  invariant(Object.keys(lost).length === 0, `a trial must have all of a backtest, had no ${Object.keys(lost)}`);
  const trial: Trial = {
    strategy: digest === undefined ? { kind: "built-in", name: named.use } : { kind: "file", digest },
    params: named.params as Trial["params"],
    data: recordings.map(({ name, role, halfSpreadBps }, i) => ({
      digest: (columns[i] as HashedColumns).digest,
      ...{ name, role, halfSpreadBps },
    })),
    ...{ seed, from, to, funds, market, references, terms },
    limits: limitsText(limits),
    ...(traded === undefined ? {} : { traded }),
    par: Object.fromEntries([...par].map(([symbol, { bandBps }]) => [symbol, bandBps])),
    ...(prices === undefined ? {} : { prices: plainPriceRules(prices, config.market.holidays) }),
    protocol: config.protocol ?? {},
  };
  const strategies = digest === undefined ? [] : [{ digest, path: named.use }];
  return { trial, options, ground: { columns, strategies, codeVersion } };
}

/** In command-line form: `stress.minBps=20`. */
function marketSettings(axes: readonly Axis[], point: Point): readonly string[] {
  return axes.flatMap(({ target, name }, place) => (target === "market" ? [`${name}=${point[place]}`] : []));
}

/** A parameter set that the strategy or the market refused, and why. */
type LeftOut = { readonly set: string; readonly reason: string };

/** The number of skipped sets that a message names. */
const NAMED = 3;

export function leftOutText(leftOut: readonly LeftOut[]): string {
  const more = leftOut.length > NAMED ? [`${leftOut.length - NAMED} more`] : [];
  return [...leftOut.slice(0, NAMED).map(({ set, reason }) => `${set} (${reason})`), ...more].join("; ");
}

/** `base` has the parameters that are not searched; `options` are those of the base backtest. */
export function searchSettings({ params, data, seed, from, to, terms }: Trial, options: BacktestOptions): object {
  const { strategy, codeVersion } = options;
  const assumptions = assumptionsOf(options);
  return { strategy: strategy.name, params, data, seed, from, to, terms, assumptions, codeVersion };
}
