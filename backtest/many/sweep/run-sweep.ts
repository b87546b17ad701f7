// Runs a search to its end, or as far as it is let: every result is kept before it is counted, what is there already is not
// run again, and a round begins when the one before has ended.

import { invariant } from "../../../src/domain/invariant.ts";
import type { ResultStore } from "../result-store.ts";
import { type Runner, runTrials } from "../run-trials.ts";
import { type Trial, trialDigest } from "../trial.ts";
import type { TrialResult } from "../trial-result.ts";
import { achieved, compareAchieved } from "./objective.ts";
import { choosingTrial, judgingTrials, rounds, type SweepPlan } from "./plan.ts";
import { survivors } from "./search.ts";
import type { Point } from "./space.ts";

export type SweepParts = {
  readonly store: Pick<ResultStore, "get" | "put">;
  readonly runner: Runner;
  readonly signal?: AbortSignal;
  /** Digests of what was run since the command began; of several searches in one command the same. */
  readonly made?: Set<string>;
  /** How many runs are done, of how many; `kept` of them were there before the command. */
  readonly watch?: (progress: Progress) => void;
};

export type Progress = { readonly done: number; readonly kept: number; readonly total: number };

/** What became of a parameter set. */
export type Explored = {
  /** Its place among the parameter sets. */
  readonly index: number;
  readonly point: Point;
  /** The last round that it was in, from 0. */
  readonly round: number;
  /** Of its last round. */
  readonly inSample: TrialResult;
  /** None for those that did not come to the last round. */
  readonly outOfSample: readonly TrialResult[];
};

/** In the order of the parameter sets; undefined when it was stopped. */
export async function runSweep(plan: SweepPlan, parts: SweepParts): Promise<readonly Explored[] | undefined> {
  const all = rounds(plan);
  const last = all.length - 1;
  const work = counted(plan, parts);
  const explored = new Map<number, Explored>();
  let field = plan.points.map((_, index) => index);
  for (const [round, { share }] of all.entries()) {
    const pointOf = (index: number): Point => plan.points[index] as Point;
    const choosing = field.map((index) => choosingTrial(plan, pointOf(index), share));
    const judging = round === last ? field.map((index) => judgingTrials(plan, pointOf(index))) : [];
    if (!(await work([...choosing, ...judging.flat()]))) return undefined;
    const resultOf = (trial: Trial): TrialResult => found(parts.store, trial);
    for (const [place, index] of field.entries())
      explored.set(index, {
        index,
        point: pointOf(index),
        round,
        inSample: resultOf(choosing[place] as Trial),
        outOfSample: (judging[place] ?? []).map(resultOf),
      });
    const next = all[round + 1];
    if (next !== undefined) field = [...survivors(byInSample(plan, field, explored), next)].sort((a, b) => a - b);
  }
  return plan.points.map((_, index) => explored.get(index) as Explored);
}

/** How many runs a search takes. */
export function runsOf(plan: SweepPlan): number {
  const all = rounds(plan);
  const judged = all.at(-1)?.points ?? 0;
  const each = judgingTrials(plan, plan.points[0] as Point).length;
  return all.reduce((sum, { points }) => sum + points, 0) + judged * each;
}

function byInSample(
  { objective }: SweepPlan,
  field: readonly number[],
  explored: ReadonlyMap<number, Explored>,
): number[] {
  const value = (index: number): number | null => achieved(objective, explored.get(index)?.inSample);
  return [...field].sort((one, other) => compareAchieved(objective, value(one), value(other)) || one - other);
}

function counted(
  plan: SweepPlan,
  { store, runner, signal, watch, made = new Set() }: SweepParts,
): (trials: readonly Trial[]) => Promise<boolean> {
  const total = runsOf(plan);
  let [done, kept] = [0, 0];
  return async (trials) => {
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
  };
}

function found(store: Pick<ResultStore, "get">, trial: Trial): TrialResult {
  const result = store.get(trialDigest(trial));
  invariant(result !== undefined, "a round must have all its results");
  return result;
}
