// A thread of the pool: runs one trial after the other on columns that it shares with the rest.

import { parentPort, workerData } from "node:worker_threads";
import { type GroundParts, groundOf } from "./ground.ts";
import { runTrial } from "./run-trial.ts";
import type { Trial } from "./trial.ts";
import type { TrialResult } from "./trial-result.ts";

export type ThreadOrder =
  | { readonly kind: "run"; readonly trial: Trial }
  | ({ readonly kind: "learn" } & Pick<GroundParts, "columns" | "strategies">);

export type ThreadAnswer = { readonly result: TrialResult } | { readonly problem: string };

let parts = workerData as GroundParts;
let ground = groundOf(parts);

async function answer(trial: Trial): Promise<ThreadAnswer> {
  try {
    return { result: await runTrial(trial, ground) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", (order: ThreadOrder) => {
  if (order.kind === "run") void answer(order.trial).then((said) => parentPort?.postMessage(said));
  else {
    const { columns, strategies } = order;
    parts = {
      ...parts,
      columns: [...parts.columns, ...columns],
      strategies: [...parts.strategies, ...strategies],
    };
    ground = groundOf(parts);
  }
});
