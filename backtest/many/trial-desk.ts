// Where trials are run beside the process that asks for them, whatever it is asked through: keeps the ground, answers each
// trial.

import { type Ground, type GroundParts, groundOf } from "./ground.ts";
import { nextTurn } from "./next-turn.ts";
import { runTrial } from "./run-trial.ts";
import type { Trial } from "./trial.ts";
import type { TrialResult } from "./trial-result.ts";

export type Order =
  | { readonly kind: "run"; readonly trial: Trial }
  /** More of the ground: what is there stays. */
  | { readonly kind: "learn"; readonly more: GroundParts };

export type Answer =
  | { readonly kind: "result"; readonly result: TrialResult }
  | { readonly kind: "problem"; readonly reason: string }
  /** Something was thrown that nobody caught, and whoever answers is not to be used again. */
  | { readonly kind: "broken"; readonly reason: string };

export function openDesk(say: (answer: Answer) => void): (order: Order) => void {
  let parts: GroundParts = { columns: [], strategies: [], codeVersion: "" };
  let ground = groundOf(parts);
  return (order) => {
    if (order.kind === "run") {
      void answerTo(order.trial, ground).then(say);
      return;
    }
    const { columns, strategies, codeVersion } = order.more;
    parts = {
      columns: [...parts.columns, ...columns],
      strategies: [...parts.strategies, ...strategies],
      codeVersion,
    };
    ground = groundOf(parts);
  };
}

/** Said a turn later, so that what a strategy throws behind its own back is blamed on its own trial. */
async function answerTo(trial: Trial, ground: Ground): Promise<Answer> {
  try {
    const result = await runTrial(trial, ground);
    await nextTurn();
    return { kind: "result", result };
  } catch (error) {
    return { kind: "problem", reason: reasonOf(error) };
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
