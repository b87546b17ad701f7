// Where trials are run beside the process that asks for them, whatever it is asked through: keeps the ground, answers each
// trial.

import { thrownText } from "../../src/domain/thrown-text.ts";
import { keepGuestsIn, STRAY_NEXT, strayError } from "../../src/strategy/guest.ts";
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

/** Once per process or thread, which has nothing else to do: it is for strategies to run in from then on. */
export function openDesk(say: (answer: Answer) => void): (order: Order) => void {
  keepGuestsIn();
  process.on("uncaughtException", (error) => {
    const stray = strayError(error);
    say({ kind: "broken", reason: stray === undefined ? thrownText(error) : `${stray}; ${STRAY_NEXT}` });
  });
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
    return { kind: "problem", reason: thrownText(error) };
  }
}
