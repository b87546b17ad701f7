// Many trials through a runner, as many at a time as it takes. Results come in the order in which they are done; who needs
// an order goes by the index.

import type { Trial } from "./trial.ts";
import type { TrialResult } from "./trial-result.ts";

export interface Runner {
  /** More than so many at a time would only wait. */
  readonly inFlightMax: number;
  run(trial: Trial): Promise<TrialResult>;
}

export type OnResult = (result: TrialResult, index: number) => void;

/** Resolves when all are done, or when the signal said stop; rejects with the first that could not be run. */
export async function runTrials(
  trials: readonly Trial[],
  runner: Runner,
  onResult: OnResult,
  signal?: AbortSignal,
): Promise<void> {
  let index = 0;
  let isOver = false;
  const stop = new Promise<void>((resolve) => {
    const end = (): void => {
      isOver = true;
      resolve();
    };
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end, { once: true });
  });
  const lane = async (): Promise<void> => {
    while (index < trials.length && !isOver) {
      const own = index++;
      const result = await runner.run(trials[own] as Trial);
      if (!isOver) onResult(result, own);
    }
  };
  const lanes = Array.from({ length: Math.min(runner.inFlightMax, trials.length) }, lane);
  try {
    await Promise.race([Promise.all(lanes), stop]);
  } finally {
    isOver = true;
    // What is still going on ends with its runner; nobody waits for it here.
    for (const one of lanes) one.catch(() => undefined);
  }
}
