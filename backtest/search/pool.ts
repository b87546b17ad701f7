// Processes of this machine that run trials. The result of a trial does not depend on which process runs it or when;
// the trial of a process that dies is run again.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { totalmem } from "node:os";
import { join } from "node:path";
import { CALL_MS_MAX } from "../../src/strategy/watchdog.ts";
import type { Trial } from "./trial.ts";
import type { TrialFiles } from "./trial-files.ts";
import type { Answer, Order } from "./trial-process.ts";
import type { TrialResult } from "./trial-result.ts";

export interface Runner {
  /** More trials than this at a time would only wait. */
  readonly inFlightMax: number;
  run(trial: Trial): Promise<TrialResult>;
}

export interface Pool extends Runner {
  /** Adds files that later trials may name. */
  learn(more: Pick<TrialFiles, "columns" | "strategies">): void;
  /** Abandons runs in progress. */
  close(): Promise<void>;
}

export type PoolOptions = {
  /** Called when a process died. */
  readonly tell?: (line: string) => void;
  /** Memory for the column copies of all processes together: with larger columns fewer processes run. */
  readonly copiesBytesMax?: number;
  /** How long a call of a strategy may take. */
  readonly callMsMax?: number;
};

type Waiting = {
  readonly trial: Trial;
  readonly resolve: (result: TrialResult) => void;
  readonly reject: (error: Error) => void;
  /** Processes that died while they ran it. */
  deaths: number;
};

/** A process, started with its first trial, and the trial that it runs. */
type Slot = { child?: ChildProcess | undefined; current?: Waiting | undefined };

/** A trial that ended this many processes is the cause. Same limit as at a queue. */
const DEATHS_MAX = 4;
/** By the watchdog of the process, which has printed why; a second run would hang as well. */
const HUNG = "by SIGALRM";
/** While columns are sent to a process, three copies of them exist. */
const MEMORY_SHARE = 0.25;
const CLOSED = new Error("the pool has been closed");

export function openPool(wanted: number, given: TrialFiles, options: PoolOptions = {}): Pool {
  const { tell = () => undefined, copiesBytesMax = memory() * MEMORY_SHARE, callMsMax = CALL_MS_MAX } = options;
  const size = Math.max(1, Math.min(wanted, Math.floor(copiesBytesMax / (bytesOf(given) || 1))));
  const slots = Array.from({ length: size }, (): Slot => ({}));
  const waiting: Waiting[] = [];
  let files = given;
  let isClosed = false;
  const take = (slot: Slot): boolean => {
    if (slot.current !== undefined || isClosed) return false;
    slot.current = waiting.shift();
    if (slot.current === undefined) return false;
    slot.child ??= started(slot);
    tellChild(slot.child, { kind: "run", trial: slot.current.trial });
    return true;
  };
  const started = (slot: Slot): ChildProcess => {
    const child = fork(LAUNCHER, [PROCESS_FILE, String(process.pid), String(callMsMax)], {
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const gone = (how: string): void => {
      if (slot.child !== child) return;
      const lost = slot.current;
      [slot.child, slot.current] = [undefined, undefined];
      runAgain(how, lost);
      take(slot);
    };
    child.once("exit", (code, signal) => gone(signal === null ? `with exit code ${code}` : `by ${signal}`));
    // A process that never started has no exit event.
    child.on("error", (error) => void (child.pid === undefined && gone(`before it began: ${error.message}`)));
    child.on("message", (answer: Answer) => {
      if (slot.child !== child) return;
      const done = slot.current;
      slot.current = undefined;
      if (answer.kind === "broken") {
        slot.child = undefined;
        child.kill("SIGKILL");
        if (done === undefined) tell(`a run failed after its end: ${answer.reason}`);
      }
      if (answer.kind === "result") done?.resolve(answer.result);
      else done?.reject(new Error(answer.reason));
      take(slot);
    });
    tellChild(child, { kind: "learn", more: files });
    return child;
  };
  const runAgain = (how: string, lost: Waiting | undefined): void => {
    if (lost === undefined) tell(`a process that waited for a run ended ${how}`);
    else if (how === HUNG)
      lost.reject(new Error("a run's strategy did not return from a call: the line above names it"));
    else if (++lost.deaths >= DEATHS_MAX)
      lost.reject(new Error(`a run ended ${DEATHS_MAX} processes that ran it, the last one ${how}`));
    else {
      tell(`a process ended ${how} before its run did: the run is made again`);
      waiting.unshift(lost);
    }
  };
  return {
    inFlightMax: size,
    learn({ columns, strategies }) {
      files = { ...files, columns: [...files.columns, ...columns], strategies: [...files.strategies, ...strategies] };
      for (const { child } of slots) tellChild(child, { kind: "learn", more: { ...files, columns, strategies } });
    },
    run(trial) {
      if (isClosed) return Promise.reject(CLOSED);
      return new Promise((resolve, reject) => {
        waiting.push({ trial, resolve, reject, deaths: 0 });
        slots.some(take);
      });
    },
    async close() {
      isClosed = true;
      for (const { reject } of [...waiting.splice(0), ...slots.flatMap(({ current }) => current ?? [])]) reject(CLOSED);
      await Promise.all(slots.splice(0).map(ended));
    },
  };
}

function tellChild(child: ChildProcess | undefined, order: Order): void {
  child?.send(order, () => undefined);
}

/** Ends at once, even in the middle of a run, and reports nothing afterwards. */
async function ended(slot: Slot): Promise<void> {
  const { child } = slot;
  slot.child = undefined;
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, "exit");
  child.kill("SIGKILL");
  await over;
}

/** Started through the launcher instead of imported, because the launcher caches the compiled sources. */
const LAUNCHER = join(import.meta.dirname, "..", "..", "bin", "pegbot.js");
/** A published package has JavaScript only. */
const PROCESS_FILE = join(import.meta.dirname, `trial-process.${import.meta.filename.endsWith(".ts") ? "ts" : "js"}`);

function bytesOf({ columns }: TrialFiles): number {
  return columns.reduce((sum, own) => sum + own.columns.reduce((all, { byteLength }) => all + byteLength, 0), 0);
}

/** Memory of the machine, or the limit of its container. */
function memory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

export type OnResult = (result: TrialResult, index: number) => void;

/**
 * Runs many trials, as many at a time as the runner takes; results arrive in order of completion. Resolves when all are
 * done or the signal stops it; rejects with the first that could not be run.
 */
export async function runTrials(
  trials: readonly Trial[],
  runner: Runner,
  onResult: OnResult,
  signal?: AbortSignal,
): Promise<void> {
  let index = 0;
  let isOver = signal?.aborted === true;
  const stop = new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
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
    // Runs in progress end with their runner.
    for (const one of lanes) one.catch(() => undefined);
  }
}
