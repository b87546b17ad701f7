// Runs a search and chooses by its in-sample results. Every result is stored before it counts, so that a killed search
// can continue; the choice depends on results and never on which process was faster.

import { invariant } from "../../src/domain/invariant.ts";
import type { Point } from "./parameter-space.ts";
import { type Runner, runTrials } from "./pool.ts";
import type { ResultStore } from "./result-store.ts";
import { achievedOverAll, compareAchieved, type Objective } from "./search-terms.ts";
import { choosingTrials, judgingTrials, type SweepPlan } from "./sweep-plan.ts";
import { type Trial, trialDigest } from "./trial.ts";
import type { TrialResult } from "./trial-result.ts";

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
  readonly inSample: readonly TrialResult[];
  readonly outOfSample: readonly TrialResult[];
};

/** In the order of the parameter sets; undefined when it was stopped. */
export async function runSweep(
  plan: SweepPlan,
  parts: SweepParts,
  runs: StoredRuns = storedRuns(runsOf(plan), parts),
): Promise<readonly Explored[] | undefined> {
  const sets = plan.points.map((point, index) => ({
    ...{ index, point },
    choosing: choosingTrials(plan, point),
    judging: judgingTrials(plan, point),
  }));
  if (!(await runs.run(sets.flatMap(({ choosing, judging }) => [...choosing, ...judging])))) return undefined;
  return sets.map(({ index, point, choosing, judging }) => ({
    ...{ index, point },
    inSample: choosing.map(runs.resultOf),
    outOfSample: judging.map(runs.resultOf),
  }));
}

/** The best in-sample set; among equals the first. Undefined where no set has a figure. */
export function bestInSample<T extends Pick<Explored, "index" | "inSample">>(
  objective: Objective,
  explored: readonly T[],
): T | undefined {
  const value = ({ inSample }: T): number | null => achievedOverAll(objective, inSample);
  const [best] = explored
    .filter((one) => value(one) !== null)
    .sort((one, other) => compareAchieved(objective, value(one), value(other)) || one.index - other.index);
  return best;
}

/** The number of runs of a search. */
export function runsOf(plan: SweepPlan): number {
  const [first] = plan.points as [Point];
  return plan.points.length * (choosingTrials(plan, first).length + judgingTrials(plan, first).length);
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
      const wanted = [...missing.values()];
      const onResult = (result: TrialResult, place: number): void => {
        store.put(result, wanted[place] as Trial);
        made.add(result.trial);
        done++;
        watch?.({ done, kept, total });
      };
      await runTrials(wanted, runner, onResult, signal);
      return signal?.aborted !== true;
    },
    resultOf(trial) {
      const result = store.get(trialDigest(trial));
      invariant(result !== undefined, "a search must have all its results");
      return result;
    },
  };
}
