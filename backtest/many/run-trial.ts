// A trial, run in this thread.

import { runBacktest } from "../run-backtest.ts";
import type { Ground } from "./ground.ts";
import { optionsOf, type Trial, trialDigest } from "./trial.ts";
import { resultOf, type TrialResult } from "./trial-result.ts";

/** Rejects when the ground lacks what the trial names, and where a strategy refuses its parameters: neither is a result. */
export async function runTrial(trial: Trial, ground: Ground): Promise<TrialResult> {
  const digest = trialDigest(trial);
  const ran = runBacktest(await optionsOf(trial, ground));
  return ran.ok ? resultOf(digest, ran.value) : { kind: "refused", trial: digest, reason: ran.error };
}
