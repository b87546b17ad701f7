// A trial, run in this thread.

import { lapsedText } from "../caution.ts";
import { runBacktest } from "../run-backtest.ts";
import type { Ground } from "./ground.ts";
import { optionsOf, type Trial, trialDigest } from "./trial.ts";
import { resultOf, type TrialResult } from "./trial-result.ts";

/** Rejects when the ground lacks what the trial names, and where a strategy refuses its parameters: neither is a result. */
export async function runTrial(trial: Trial, ground: Ground): Promise<TrialResult> {
  const digest = trialDigest(trial);
  const options = await optionsOf(trial, ground);
  const ran = runBacktest(options);
  if (!ran.ok) return { kind: "refused", trial: digest, reason: ran.error };
  return resultOf(digest, ran.value, lapsedText(options, ran.value.record));
}
