// Processes of this machine that run trials. The result of a trial does not depend on which process runs it or when;
// the trial of a process that dies is run again.

import { fork } from "node:child_process";
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

/** A trial that ended this many processes is the cause. Same limit as at a queue. */
const DEATHS_MAX = 4;
/** By the watchdog of the process, which has printed why; a second run would hang as well. */
const HUNG = "by SIGALRM";
/** While columns are sent to a process, three copies of them exist. */
const MEMORY_SHARE = 0.25;
const CLOSED = "the pool has been closed";

export function openPool(size: number, given: TrialFiles, options: PoolOptions = {}): Pool {
  const { tell = () => undefined, copiesBytesMax = memory() * MEMORY_SHARE, callMsMax = CALL_MS_MAX } = options;
  const waiting: Waiting[] = [];
  let files = given;
  let isClosed = false;
  const slots = Array.from({ length: size }, (_, place) =>
    openSlot({
      ...{ waiting, tell, callMsMax },
      files: () => files,
      fits: () => place === 0 || (place + 1) * bytesOf(files) <= copiesBytesMax,
    }),
  );
  return {
    inFlightMax: size,
    learn({ columns, strategies }) {
      files = { ...files, columns: [...files.columns, ...columns], strategies: [...files.strategies, ...strategies] };
      for (const slot of slots) slot.learn({ ...files, columns, strategies });
    },
    run(trial) {
      if (isClosed) return Promise.reject(new Error(CLOSED));
      return new Promise((resolve, reject) => {
        waiting.push({ trial, resolve, reject, deaths: 0 });
        for (const slot of slots) if (slot.take()) break;
      });
    },
    async close() {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(new Error(CLOSED));
      await Promise.all(slots.map((slot) => slot.end()));
    },
  };
}

type Shared = {
  readonly waiting: Waiting[];
  readonly tell: (line: string) => void;
  readonly callMsMax: number;
  readonly files: () => TrialFiles;
  /** Whether the columns of one more process fit into memory. */
  readonly fits: () => boolean;
};

type Slot = {
  take(): boolean;
  learn(more: TrialFiles): void;
  end(): Promise<void>;
};

/** Runs one trial at a time; the process starts with the first. */
function openSlot({ waiting, tell, callMsMax, files, fits }: Shared): Slot {
  let child: TrialProcess | undefined;
  let current: Waiting | undefined;
  const started = (): TrialProcess => {
    const fresh = startProcess(callMsMax, {
      answered(answer) {
        if (answer.kind === "broken") void leave();
        if (current === undefined && answer.kind === "broken") tell(`a run failed after its end: ${answer.reason}`);
        settle(current, answer);
        current = undefined;
        take();
      },
      gone(how) {
        child = undefined;
        const lost = current;
        current = undefined;
        runAgain(how, lost);
        take();
      },
    });
    fresh.tell({ kind: "learn", more: files() });
    return fresh;
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
  const leave = async (): Promise<void> => {
    const old = child;
    child = undefined;
    await old?.end();
  };
  const take = (): boolean => {
    if (current !== undefined) return false;
    if (!fits()) {
      void leave();
      return false;
    }
    current = waiting.shift();
    if (current === undefined) return false;
    child ??= started();
    child.tell({ kind: "run", trial: current.trial });
    return true;
  };
  return {
    take,
    // A process that is about to be ended needs no more files.
    learn: (more) => void (fits() && child?.tell({ kind: "learn", more })),
    end() {
      current?.reject(new Error(CLOSED));
      current = undefined;
      return leave();
    },
  };
}

type TrialProcess = {
  tell(order: Order): void;
  /** Ends at once, even in the middle of a run, and reports nothing afterwards. */
  end(): Promise<void>;
};

type Listener = {
  answered(answer: Answer): void;
  /** Killed from outside, out of memory, or ended by the strategy. */
  gone(how: string): void;
};

/** Started through the launcher instead of imported, because the launcher caches the compiled sources. */
const LAUNCHER = join(import.meta.dirname, "..", "..", "bin", "pegbot.js");
/** A published package has JavaScript only. */
const PROCESS_FILE = join(import.meta.dirname, `trial-process.${import.meta.filename.endsWith(".ts") ? "ts" : "js"}`);

function startProcess(callMsMax: number, listener: Listener): TrialProcess {
  const child = fork(LAUNCHER, [PROCESS_FILE, String(process.pid), String(callMsMax)], {
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  let isOver = false;
  const gone = (how: string): void => {
    if (isOver) return;
    isOver = true;
    listener.gone(how);
  };
  const ended = new Promise<void>((resolve) => {
    child.once("exit", (code, signal) => {
      gone(signal === null ? `with exit code ${code}` : `by ${signal}`);
      resolve();
    });
    // A process that never started has no exit event; one that is gone cannot receive messages, and its exit is
    // reported.
    child.on("error", (error) => {
      if (child.pid !== undefined) return;
      gone(`before it began: ${error.message}`);
      resolve();
    });
  });
  child.on("message", (answer) => void (isOver || listener.answered(answer as Answer)));
  return {
    tell: (order) => void child.send(order, () => undefined),
    end() {
      isOver = true;
      child.kill("SIGKILL");
      return ended;
    },
  };
}

function settle(done: Waiting | undefined, answer: Answer): void {
  if (answer.kind === "result") done?.resolve(answer.result);
  else done?.reject(new Error(answer.reason));
}

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
