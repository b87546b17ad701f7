// Threads of this process that run trials. They share the columns and nothing else; which of them runs a trial, and when,
// leaves no mark on its result.

import { Worker } from "node:worker_threads";
import type { GroundParts } from "./ground.ts";
import type { Runner } from "./run-trials.ts";
import type { Trial } from "./trial.ts";
import type { TrialResult } from "./trial-result.ts";
import type { ThreadAnswer, ThreadOrder } from "./trial-thread.ts";

export interface Pool extends Runner {
  /** Files that trials from now on may name. */
  learn(more: Pick<GroundParts, "columns" | "strategies">): void;
  /** What is going on is given up. */
  close(): Promise<void>;
}

type Waiting = {
  readonly trial: Trial;
  readonly resolve: (result: TrialResult) => void;
  readonly reject: (error: Error) => void;
};

export function openPool(size: number, given: GroundParts): Pool {
  const queue: Waiting[] = [];
  let ground = given;
  let isClosed = false;
  const next = (): Waiting | undefined => queue.shift();
  const threads = Array.from({ length: size }, () => openThread(() => ground, next));
  return {
    inFlightMax: size,
    learn(more) {
      ground = {
        ...ground,
        columns: [...ground.columns, ...more.columns],
        strategies: [...ground.strategies, ...more.strategies],
      };
      for (const thread of threads) thread.learns(more);
    },
    run(trial) {
      if (isClosed) return Promise.reject(new Error("the threads have been ended"));
      return new Promise((resolve, reject) => {
        queue.push({ trial, resolve, reject });
        for (const thread of threads) if (thread.takes()) break;
      });
    },
    async close() {
      isClosed = true;
      for (const { reject } of queue.splice(0)) reject(new Error("the threads have been ended"));
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

type Thread = {
  takes(): boolean;
  learns(more: Pick<GroundParts, "columns" | "strategies">): void;
  end(): Promise<unknown>;
};

/** Started with its first trial. */
function openThread(ground: () => GroundParts, next: () => Waiting | undefined): Thread {
  let worker: Worker | undefined;
  let current: Waiting | undefined;
  const started = (): Worker => {
    const fresh = new Worker(threadFile(), { workerData: ground() });
    fresh.on("message", (answer: ThreadAnswer) => {
      const done = current;
      current = undefined;
      if ("result" in answer) done?.resolve(answer.result);
      else done?.reject(new Error(answer.problem));
      take();
    });
    // A thread that fails is heard twice: by its error, and when it has ended.
    const failed = (message: string): void => {
      if (worker !== fresh) return;
      worker = undefined;
      const lost = current;
      current = undefined;
      lost?.reject(new Error(message));
      take();
    };
    fresh.on("error", (error: Error) => failed(error.message));
    fresh.on("exit", () => failed("a thread ended before its trial did"));
    return fresh;
  };
  const take = (): boolean => {
    if (current !== undefined) return false;
    current = next();
    if (current === undefined) return false;
    worker ??= started();
    worker.postMessage({ kind: "run", trial: current.trial } satisfies ThreadOrder);
    return true;
  };
  return {
    takes: take,
    learns: (more) => worker?.postMessage({ kind: "learn", ...more } satisfies ThreadOrder),
    end: async () => worker?.terminate(),
  };
}

/** A published package has JavaScript only, and addresses of threads are not rewritten when it is built. */
function threadFile(): URL {
  const isSource = import.meta.filename.endsWith(".ts");
  return isSource ? new URL("./trial-thread.ts", import.meta.url) : new URL("./trial-thread.js", import.meta.url);
}
