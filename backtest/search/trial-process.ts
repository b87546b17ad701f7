// A process of the pool: runs one trial after the other. It ends with the process that started it, also in the middle of a
// trial, and by no other signal: Ctrl-C reaches every process of a terminal, and the first one decides what it means.

import { Worker } from "node:worker_threads";
import { errorMessage } from "../../src/domain/error-message.ts";
import { keepGuestsIn, STRAY_NEXT, strayError } from "../../src/strategy/guest.ts";
import { nextTurn } from "../next-turn.ts";
import type { Trial } from "./trial.ts";
import type { TrialFiles } from "./trial-files.ts";
import { runTrial, type TrialResult } from "./trial-result.ts";

export type Order =
  | { readonly kind: "run"; readonly trial: Trial }
  /** More files, next to those that are there. */
  | { readonly kind: "learn"; readonly more: TrialFiles };

export type Answer =
  | { readonly kind: "result"; readonly result: TrialResult }
  | { readonly kind: "problem"; readonly reason: string }
  /** Something was thrown and not caught: this process is not to be used again. */
  | { readonly kind: "broken"; readonly reason: string };

/**
 * A trial takes the thread until it is done, and a strategy may never be: another thread sees that the parent is gone. As text,
 * because a file would first have its types stripped.
 */
const WATCH = `
  const { workerData } = require("node:worker_threads");
  const never = new Int32Array(new SharedArrayBuffer(4));
  do Atomics.wait(never, 0, 0, 500); while (process.ppid === workerData);
  process.kill(process.pid, "SIGKILL");
`;
new Worker(WATCH, { eval: true, workerData: Number(process.argv[2]) }).unref();

// Before strategies are kept from it.
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

/** A turn later, so that an error which a strategy throws in a promise of its own is blamed on its own trial. */
async function answerTo(trial: Trial): Promise<Answer> {
  try {
    const result = await runTrial(trial, files);
    await nextTurn();
    return { kind: "result", result };
  } catch (error) {
    return { kind: "problem", reason: errorMessage(error) };
  }
}
