// A process of the pool: runs one trial after the other. It ends with its parent, even in the middle of a trial, and on
// no other signal: Ctrl-C reaches every process of a terminal, and the parent decides what it means.

import { errorMessage } from "../../src/domain/error-message.ts";
import { keepGuestsIn, STRAY_NEXT, strayError } from "../../src/strategy/guest.ts";
import { watchCalls } from "../../src/strategy/watchdog.ts";
import { nextTurn } from "../next-turn.ts";
import type { Trial } from "./trial.ts";
import type { TrialFiles } from "./trial-files.ts";
import { runTrial, type TrialResult } from "./trial-result.ts";

export type Order =
  | { readonly kind: "run"; readonly trial: Trial }
  /** Adds files to the known ones. */
  | { readonly kind: "learn"; readonly more: TrialFiles };

export type Answer =
  | { readonly kind: "result"; readonly result: TrialResult }
  | { readonly kind: "problem"; readonly reason: string }
  /** An uncaught error was thrown: this process must not be used again. */
  | { readonly kind: "broken"; readonly reason: string };

// A trial blocks the thread until it is done: another thread detects a strategy that never returns, and that the parent is gone.
watchCalls({ parent: Number(process.argv[2]), callMsMax: Number(process.argv[3]) });

// Taken before strategies lose access to it.
const leave = process.exit;
keepGuestsIn();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);

let files: TrialFiles = { columns: [], strategies: [], codeVersion: "" };
let isBroken = false;

process.on("uncaughtException", (error) => {
  const stray = strayError(error);
  send({ kind: "broken", reason: stray === undefined ? errorMessage(error) : `${stray}; ${STRAY_NEXT}` });
});
process.on("disconnect", () => leave());
process.on("message", (order: Order) => {
  if (order.kind === "run") return void answerTo(order.trial).then(send);
  const { columns, strategies, codeVersion } = order.more;
  files = {
    columns: [...files.columns, ...columns],
    strategies: [...files.strategies, ...strategies],
    codeVersion,
  };
});

function send(answer: Answer): void {
  if (process.connected && !isBroken) process.send?.(answer, undefined, {}, () => undefined);
  isBroken ||= answer.kind === "broken";
}

/** Answers a turn later, so that an error thrown in a strategy's promise is attributed to its own trial. */
async function answerTo(trial: Trial): Promise<Answer> {
  try {
    const result = await runTrial(trial, files);
    await nextTurn();
    return { kind: "result", result };
  } catch (error) {
    return { kind: "problem", reason: errorMessage(error) };
  }
}
