// A thread of the pool: runs one trial after the other on columns that it shares with the rest.

import { parentPort, workerData } from "node:worker_threads";
import { type GroundParts, groundOf } from "./ground.ts";
import { runTrial } from "./run-trial.ts";
import type { Trial } from "./trial.ts";
import type { TrialResult } from "./trial-result.ts";

export type ThreadAnswer = { readonly result: TrialResult } | { readonly problem: string };

const ground = groundOf(workerData as GroundParts);

async function answer(trial: Trial): Promise<ThreadAnswer> {
  try {
    return { result: await runTrial(trial, ground) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", (trial: Trial) => {
  void answer(trial).then((said) => parentPort?.postMessage(said));
});
