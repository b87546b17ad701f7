// Runs a search, round by round, and checks its choice against luck. Every result is stored before it counts, so that a
// killed search can continue; the choice depends on results and never on which process was faster.

import { invariant } from "../../src/domain/invariant.ts";
import { ok, type Result } from "../../src/domain/result.ts";
import { type WorthSeries, worthSeries } from "../metric/worth.ts";
import { ownWaysTexts } from "../report/run-text.ts";
import {
  type ChoiceChecks,
  choiceChecks,
  closedResults,
  type Overfitting,
  overHolding,
  runChecks,
} from "./overfitting-checks.ts";
import type { Point } from "./parameter-space.ts";
import { type Runner, runTrials } from "./pool.ts";
import type { ResultStore } from "./result-store.ts";
import { achieved, compareAchieved, type Objective, survivors } from "./search-terms.ts";
import { choosingTrial, judgingTrials, rounds, type SweepPlan } from "./sweep-plan.ts";
import { type Trial, trialDigest } from "./trial.ts";
import type { TrialFiles } from "./trial-files.ts";
import { repeated, type TrialResult } from "./trial-result.ts";

export type SweepParts = {
  readonly store: Pick<ResultStore, "get" | "put">;
  readonly runner: Runner;
  readonly signal?: AbortSignal;
  /** The number of runs done and the total; `kept` of them were stored before the command. */
  readonly watch?: (progress: Progress) => void;
};

export type Progress = { readonly done: number; readonly kept: number; readonly total: number };

/** The outcome of a parameter set. */
export type Explored = {
  /** Index among the parameter sets. */
  readonly index: number;
  readonly point: Point;
  /** The last round it took part in, from 0. */
  readonly round: number;
  /** The result of its last round. */
  readonly inSample: TrialResult;
  /** Empty for sets that did not reach the last round. */
  readonly outOfSample: readonly TrialResult[];
};

/** In the order of the parameter sets; undefined when it was stopped. */
export async function runSweep(
  plan: SweepPlan,
  parts: SweepParts,
  runs: StoredRuns = storedRuns(runsOf(plan), parts),
): Promise<readonly Explored[] | undefined> {
  const all = rounds(plan);
  const last = all.length - 1;
  const explored = new Map<number, Explored>();
  let field = plan.points.map((_, index) => index);
  for (const [round, { share }] of all.entries()) {
    const pointOf = (index: number): Point => plan.points[index] as Point;
    const choosing = field.map((index) => choosingTrial(plan, pointOf(index), share));
    const judging = round === last ? field.map((index) => judgingTrials(plan, pointOf(index))) : [];
    if (!(await runs.run([...choosing, ...judging.flat()]))) return undefined;
    for (const [place, index] of field.entries())
      explored.set(index, {
        index,
        point: pointOf(index),
        round,
        inSample: runs.resultOf(choosing[place] as Trial),
        outOfSample: (judging[place] ?? []).map(runs.resultOf),
      });
    const next = all[round + 1];
    if (next === undefined) continue;
    const ranked = byInSample(
      plan.objective,
      field.map((index) => explored.get(index) as Explored),
    );
    field = survivors(ranked, next)
      .map(({ index }) => index)
      .sort((a, b) => a - b);
  }
  return plan.points.map((_, index) => explored.get(index) as Explored);
}

/** The best in-sample set of the last round; among equals the first. Undefined where no set has a figure. */
export function bestInSample(objective: Objective, explored: readonly Explored[]): Explored | undefined {
  const last = Math.max(...explored.map(({ round }) => round));
  const [best] = byInSample(
    objective,
    explored.filter(({ round }) => round === last),
  );
  return achieved(objective, best?.inSample) === null ? undefined : best;
}

function byInSample(objective: Objective, explored: readonly Explored[]): Explored[] {
  const value = ({ inSample }: Explored): number | null => achieved(objective, inSample);
  return explored.toSorted(
    (one, other) => compareAchieved(objective, value(one), value(other)) || one.index - other.index,
  );
}

/** The number of runs of a search. */
export function runsOf(plan: SweepPlan): number {
  const all = rounds(plan);
  const judged = all.at(-1)?.points ?? 0;
  const each = judgingTrials(plan, plan.points[0] as Point).length;
  return all.reduce((sum, { points }) => sum + points, 0) + judged * each;
}

export type StoredRuns = {
  /** Runs the trials that are not in the store, in any order; false when it was stopped. */
  run(trials: readonly Trial[]): Promise<boolean>;
  resultOf(trial: Trial): TrialResult;
};

/** `total`: of all searches of a command, which share their runs. */
export function storedRuns(total: number, { store, runner, signal, watch }: SweepParts): StoredRuns {
  const made = new Set<string>();
  let [done, kept] = [0, 0];
  return {
    async run(trials) {
      const missing = new Map<string, Trial>();
      for (const trial of trials) {
        const digest = trialDigest(trial);
        if (store.get(digest) === undefined) missing.set(digest, trial);
        else if (!made.has(digest)) kept++;
      }
      done += trials.length - missing.size;
      watch?.({ done, kept, total });
      const onResult = (result: TrialResult): void => {
        store.put(result);
        made.add(result.trial);
        done++;
        watch?.({ done, kept, total });
      };
      await runTrials([...missing.values()], runner, onResult, signal);
      return signal?.aborted !== true;
    },
    resultOf(trial) {
      const result = store.get(trialDigest(trial));
      invariant(result !== undefined, "a round must have all its results");
      return result;
    },
  };
}

export type SweepChecks = {
  readonly overfitting: Overfitting;
  /** Of the out-of-sample run; undefined where it was refused. */
  readonly series: WorthSeries | undefined;
  /** Notes about a timer, a clock or a random source that the strategy uses. */
  readonly ownWays: readonly string[];
};

/**
 * Undefined where nothing was chosen or judged. The out-of-sample run is repeated for its trades; an error if the
 * repetition differs.
 */
export async function sweepChecks(
  plan: SweepPlan,
  explored: readonly Explored[],
  files: TrialFiles,
): Promise<Result<SweepChecks | undefined>> {
  const chosen = bestInSample(plan.objective, explored);
  const judge = chosen?.outOfSample[0];
  if (chosen === undefined || judge === undefined) return ok(undefined);
  const [trial] = judgingTrials(plan, chosen.point);
  const again = judge.kind === "ran" ? await repeated(trial as Trial, judge, files) : undefined;
  if (again?.ok === false) return again;
  const record = again?.value.record;
  const { points, objective, axes } = plan;
  const choices = axes.map(({ choice }) => choice);
  return ok({
    overfitting: {
      ...exploredChecks(explored, { points, choices, objective }, chosen.index),
      ...runChecks(overHolding(judge), record === undefined ? [] : closedResults(record), plan.base.seed),
    },
    series: record && worthSeries(record),
    ownWays: record === undefined ? [] : ownWaysTexts(record),
  });
}

/**
 * Sets that left in an earlier round were tried and so count as trials; but they ran over less time, so their figures
 * are not compared.
 */
export function exploredChecks(
  explored: readonly Explored[],
  searched: Omit<Parameters<typeof choiceChecks>[1], "compared">,
  best: number,
): ChoiceChecks {
  const last = explored[best]?.round;
  const compared = new Set(explored.flatMap(({ round }, i) => (round === last ? [i] : [])));
  return choiceChecks(
    explored.map(({ inSample }) => inSample),
    { ...searched, compared },
    best,
  );
}
