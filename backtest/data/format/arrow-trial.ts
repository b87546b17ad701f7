// Whether an Arrow file can be read to its end. Arrow has no checksums, and a damaged file can keep the library busy for
// ever, or make it take all memory there is: so a file is read in a thread first, which is ended when it does not get on.

import { Worker } from "node:worker_threads";
import type { TrialOrder, TrialWord } from "./arrow-trial-thread.ts";

/** Long: on a busy machine a sound file may wait this long for its turn, and a damaged one costs only patience. */
const STALL_MS = 60_000;
/** Of objects: the bytes of the file lie outside. */
const HEAP_MIB_MAX = 1_024;

/** Undefined when it can. */
export async function tryArrow(bytes: Uint8Array, stallMs: number = STALL_MS): Promise<string | undefined> {
  const signs = new Int32Array(new SharedArrayBuffer(4));
  const order: TrialOrder = { bytes, signs };
  const worker = new Worker(threadFile(), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB_MAX },
  });
  const ended = new Promise<TrialWord>((resolve) => {
    worker.once("message", resolve);
    worker.once("error", ({ message }: Error) => resolve({ problem: message }));
    worker.once("exit", () => resolve({ problem: "its reader ended before its time" }));
  });
  try {
    for (;;) {
      const first = await Promise.race([ended, nextSign(signs, stallMs)]);
      if (typeof first === "object") return first.problem;
      if (first === "timed-out") return `its reader did not get on for ${stallMs} ms`;
    }
  } finally {
    await worker.terminate();
  }
}

/** Waiting on memory that is shared needs no timer of ours, and ends with the first sign. */
async function nextSign(signs: Int32Array, stallMs: number): Promise<string> {
  const waiting = Atomics.waitAsync(signs, 0, Atomics.load(signs, 0), stallMs);
  return waiting.value;
}

/** A published package has JavaScript only, and addresses of threads are not rewritten when it is built. */
function threadFile(): URL {
  const isSource = import.meta.filename.endsWith(".ts");
  return isSource
    ? new URL("./arrow-trial-thread.ts", import.meta.url)
    : new URL("./arrow-trial-thread.js", import.meta.url);
}
