// Runs a walk-forward: in each window a search over the in-sample time, then its best set, and no other, over the
// out-of-sample time. The out-of-sample times of the windows follow each other without a gap.

import { err, ok, type Result } from "../../src/domain/result.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { Point } from "./parameter-space.ts";
import { bestInSample, type Explored, runSweep, runsOf, type SweepParts, storedRuns } from "./sweep.ts";
import { choosingTrials, type SweepPlan } from "./sweep-plan.ts";
import type { Trial } from "./trial.ts";
import type { TrialResult } from "./trial-result.ts";

export type WalkForwardPlan = {
  /** Over the whole time; its split is not used. */
  readonly search: SweepPlan;
  readonly windows: readonly Window[];
};

export type WalkedWindow = {
  readonly window: Window;
  /** All sets tried, in the order of the parameter sets. */
  readonly explored: readonly Explored[];
  /** Undefined where no set had a figure. */
  readonly chosen: Chosen | undefined;
};

export type Chosen = {
  /** Index among the parameter sets. */
  readonly index: number;
  readonly point: Point;
  readonly inSample: readonly TrialResult[];
  readonly outOfSample: TrialResult;
  /** The out-of-sample run. */
  readonly trial: Trial;
};

/** Undefined when it was stopped. */
export async function runWalkForward(
  { search, windows }: WalkForwardPlan,
  parts: SweepParts,
): Promise<readonly WalkedWindow[] | undefined> {
  const runs = storedRuns(walkRuns({ search, windows }), parts);
  const searched: { window: Window; explored: readonly Explored[]; choice: Omit<Chosen, "outOfSample"> | undefined }[] =
    [];
  for (const window of windows) {
    const explored = await runSweep(within(search, window.train), parts, runs);
    if (explored === undefined) return undefined;
    searched.push({ window, explored, choice: choiceOf(search, explored, window) });
  }
  if (!(await runs.run(searched.flatMap(({ choice }) => choice?.trial ?? [])))) return undefined;
  return searched.map(({ window, explored, choice }) => ({
    window,
    explored,
    chosen: choice && { ...choice, outOfSample: runs.resultOf(choice.trial) },
  }));
}

/** The number of runs of a walk-forward. */
export function walkRuns({ search, windows }: WalkForwardPlan): number {
  return windows.length * (runsOf(within(search, (windows[0] as Window).train)) + 1);
}

/** The search over one span only, without an out-of-sample part. */
function within(search: SweepPlan, { from, to }: Span): SweepPlan {
  return { ...search, base: { ...search.base, from, to }, split: { kind: "seeds", choosing: 1, count: 0 } };
}

function choiceOf(
  search: SweepPlan,
  explored: readonly Explored[],
  { test }: Window,
): Omit<Chosen, "outOfSample"> | undefined {
  const best = bestInSample(search.objective, explored);
  if (best === undefined) return undefined;
  const { index, point, inSample } = best;
  return { index, point, inSample, trial: choosingTrials(within(search, test), point)[0] as Trial };
}

export type WindowTerms = {
  readonly trainMs: number;
  readonly testMs: number;
  /** Left out between the two, so that positions open at the end of one do not affect the other. */
  readonly purgeMs: number;
  /** Every in-sample time starts where the first does, and grows; otherwise it moves along. */
  readonly anchored: boolean;
};

export type Span = { readonly from: Millis; readonly to: Millis };

export type Window = { readonly train: Span; readonly test: Span };

const WINDOWS_MAX = 1_000;

/** As many windows as fit completely; a remainder at the end is not used. */
export function windowsOf({ from, to }: Span, terms: WindowTerms): Result<readonly Window[]> {
  const { trainMs, testMs, purgeMs, anchored } = terms;
  const count = Math.floor((to - from - trainMs - purgeMs) / testMs);
  if (count < 1)
    return err(
      `a window takes ${(trainMs + purgeMs + testMs) / 3_600_000} h (train, purge and test), the whole time is ${(to - from) / 3_600_000} h`,
    );
  if (count > WINDOWS_MAX) return err(`there may be ${WINDOWS_MAX} windows at most, was ${count}`);
  return ok(
    Array.from({ length: count }, (_, i) => {
      const end = from + trainMs + i * testMs;
      const begin = end + purgeMs;
      return {
        train: { from: millis(anchored ? from : end - trainMs), to: millis(end) },
        test: { from: millis(begin), to: millis(begin + testMs) },
      };
    }),
  );
}
