// Who runs trials beside this process. A process has a heap, a compiler and compiled code to itself, so that two do twice as
// much as one; its columns are a copy. Threads share columns in one memory, and much else: two of them do half as much again.

import { fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Answer, Order } from "./trial-desk.ts";

export type BesideKind = "process" | "thread";

export type Beside = {
  readonly kind: BesideKind;
  tell(order: Order): void;
  /** At once, whatever it is doing. Nothing is heard of it afterwards. */
  end(): Promise<void>;
};

export type Ears = {
  answered(answer: Answer): void;
  /** Without a word: killed from outside, out of memory, or ended by what it ran. */
  gone(how: string): void;
};

export function startBeside(kind: BesideKind, ears: Ears): Beside {
  return kind === "process" ? startProcess(ears) : startThread(ears);
}

/** Started and not imported: it keeps what the runtime made of the sources. */
const LAUNCHER = join(import.meta.dirname, "..", "..", "bin", "pegbot.js");

function startProcess(ears: Ears): Beside {
  const child = fork(LAUNCHER, [fileURLToPath(fileOf("process")), String(process.pid)], {
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  let isOver = false;
  const gone = (how: string): void => {
    if (isOver) return;
    isOver = true;
    ears.gone(how);
  };
  const ended = new Promise<void>((resolve) => {
    child.once("exit", (code, signal) => {
      gone(signal === null ? `with exit code ${code}` : `by ${signal}`);
      resolve();
    });
    // Where it was never started there is no end either. One that is gone cannot be told anything, and its end is heard.
    child.on("error", (error) => {
      if (child.pid !== undefined) return;
      gone(`before it began: ${error.message}`);
      resolve();
    });
  });
  child.on("message", (answer) => void (isOver || ears.answered(answer as Answer)));
  return {
    kind: "process",
    tell: (order) => void child.send(order, () => undefined),
    end() {
      isOver = true;
      child.kill("SIGKILL");
      return ended;
    },
  };
}

function startThread(ears: Ears): Beside {
  const worker = new Worker(fileOf("thread"));
  let isOver = false;
  worker.on("message", (answer: Answer) => void (isOver || ears.answered(answer)));
  // A thread that fails is heard twice: by its error, and when it has ended.
  worker.on("error", (error: Error) => void (isOver || ears.answered({ kind: "broken", reason: error.message })));
  worker.on("exit", (code) => void (isOver || ears.gone(`with exit code ${code}`)));
  return {
    kind: "thread",
    tell: (order) => worker.postMessage(order),
    async end() {
      isOver = true;
      await worker.terminate();
    },
  };
}

/** A published package has JavaScript only, and addresses like these are not rewritten when it is built. */
function fileOf(kind: BesideKind): URL {
  const isSource = import.meta.filename.endsWith(".ts");
  if (kind === "thread")
    return isSource ? new URL("./trial-thread.ts", import.meta.url) : new URL("./trial-thread.js", import.meta.url);
  return isSource ? new URL("./trial-process.ts", import.meta.url) : new URL("./trial-process.js", import.meta.url);
}
