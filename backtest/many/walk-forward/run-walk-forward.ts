// Runs a walk forward: in each window a search over the time that may choose, then the best of it, and no other, over the time
// that judges. Every result is kept before it is counted, as in a sweep, and nothing depends on who runs what when.

import { runTrials } from "../run-trials.ts";
import { achieved, compareAchieved } from "../sweep/objective.ts";
import { choosingTrial, type SweepPlan } from "../sweep/plan.ts";
import type { Explored, Progress, SweepParts } from "../sweep/run-sweep.ts";
import { runSweep, runsOf } from "../sweep/run-sweep.ts";
import type { Point } from "../sweep/space.ts";
import { type Trial, trialDigest } from "../trial.ts";
import type { TrialResult } from "../trial-result.ts";
import type { Span, Window } from "./windows.ts";

export type WalkForwardPlan = {
  /** Over the whole time; its split is not used. */
  readonly search: SweepPlan;
  readonly windows: readonly Window[];
};

export type WalkedWindow = {
  readonly window: Window;
  /** All that were tried, in the order of the parameter sets. */
  readonly explored: readonly Explored[];
  /** Undefined where no set had a figure to be chosen by. */
  readonly chosen: Chosen | undefined;
};

export type Chosen = {
  /** Its place among the parameter sets. */
  readonly index: number;
  readonly point: Point;
  readonly inSample: TrialResult;
  readonly outOfSample: TrialResult;
  /** The run that judges. */
  readonly trial: Trial;
};

/** Undefined when it was stopped. */
export async function runWalkForward(
  { search, windows }: WalkForwardPlan,
  given: SweepParts,
): Promise<readonly WalkedWindow[] | undefined> {
  // A run that judged one window may choose in the next.
  const parts = { ...given, made: new Set<string>() };
  const count = counter(search, windows, parts.watch);
  const chosen: (Omit<Chosen, "outOfSample"> | undefined)[] = [];
  const explored: (readonly Explored[])[] = [];
  for (const { train } of windows) {
    const own = within(search, train);
    const found = await runSweep(own, { ...parts, watch: count.search });
    if (found === undefined) return undefined;
    count.next();
    explored.push(found);
    chosen.push(choiceOf(search, found, chosen.length, windows));
  }
  const wanted = chosen.flatMap((one) => (one === undefined ? [] : [one.trial]));
  const judged = await judge(wanted, parts, count);
  if (judged === undefined) return undefined;
  return windows.map((window, i) => {
    const choice = chosen[i];
    const outOfSample = choice && judged.get(trialDigest(choice.trial));
    return {
      window,
      explored: explored[i] as readonly Explored[],
      chosen: choice && outOfSample && { ...choice, outOfSample },
    };
  });
}

/** How many runs it takes. */
export function walkRuns({ search, windows }: WalkForwardPlan): number {
  return windows.length * (runsOf(within(search, (windows[0] as Window).train)) + 1);
}

/** The search over one span and nothing else: nothing of it judges. */
function within(search: SweepPlan, { from, to }: Span): SweepPlan {
  return { ...search, base: { ...search.base, from, to }, split: { kind: "seeds", count: 0 } };
}

function choiceOf(
  search: SweepPlan,
  explored: readonly Explored[],
  place: number,
  windows: readonly Window[],
): Omit<Chosen, "outOfSample"> | undefined {
  const { objective } = search;
  const last = Math.max(...explored.map(({ round }) => round));
  const [best] = explored
    .filter(({ round, inSample }) => round === last && achieved(objective, inSample) !== null)
    .sort(
      (one, other) =>
        compareAchieved(objective, achieved(objective, one.inSample), achieved(objective, other.inSample)) ||
        one.index - other.index,
    );
  if (best === undefined) return undefined;
  const { index, point, inSample } = best;
  const { test } = windows[place] as Window;
  return { index, point, inSample, trial: choosingTrial(within(search, test), point, 1) };
}

async function judge(
  trials: readonly Trial[],
  { store, runner, signal, made }: SweepParts,
  count: Counter,
): Promise<ReadonlyMap<string, TrialResult> | undefined> {
  const results = new Map<string, TrialResult>();
  const missing: Trial[] = [];
  for (const trial of trials) {
    const kept = store.get(trialDigest(trial));
    if (kept === undefined) missing.push(trial);
    else results.set(kept.trial, kept);
  }
  count.judged(results.size, [...results.keys()].filter((digest) => made?.has(digest) !== true).length);
  const onResult = (result: TrialResult): void => {
    store.put(result);
    results.set(result.trial, result);
    count.judged(1, 0);
  };
  await runTrials(missing, runner, onResult, signal);
  return signal?.aborted === true ? undefined : results;
}

type Counter = {
  readonly search: (progress: Progress) => void;
  next(): void;
  judged(done: number, kept: number): void;
};

/** Progress over all windows from that of each. */
function counter(search: SweepPlan, windows: readonly Window[], watch: SweepParts["watch"]): Counter {
  const total = walkRuns({ search, windows });
  let before = { done: 0, kept: 0 };
  let own = { done: 0, kept: 0 };
  const tell = (): void => watch?.({ done: before.done + own.done, kept: before.kept + own.kept, total });
  const next = (): void => {
    before = { done: before.done + own.done, kept: before.kept + own.kept };
    own = { done: 0, kept: 0 };
  };
  return {
    search({ done, kept }) {
      own = { done, kept };
      tell();
    },
    next,
    judged(done, kept) {
      own = { done: own.done + done, kept: own.kept + kept };
      tell();
    },
  };
}
