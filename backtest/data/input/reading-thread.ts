// A thread for a library that a damaged file may keep busy without end, or until memory is full: its first answer is what it opened.

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Input } from "../format/format.ts";

/** A million rows of a column take less than a second. */
const ANSWER_MS_MAX = 30_000;

export class ReadingThread {
  readonly #worker: Worker;
  readonly #input: Input;
  readonly #title: string;

  /** `code`: as a source; in a package it is what was made of it. */
  constructor(code: URL, input: Input, title: string) {
    const isSource = import.meta.filename.endsWith(".ts");
    this.#worker = new Worker(isSource ? code : new URL(code.href.replace(/ts$/, "js")), { workerData: input.path });
    // Also when no answer is waited for any more.
    this.#worker.on("error", () => undefined);
    this.#input = input;
    this.#title = title;
  }

  /** A failure of the library is reported as a problem of the file. */
  async answer<T>(question?: unknown): Promise<T> {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    if (question !== undefined) this.#worker.postMessage(question);
    try {
      const [answer] = await once(this.#worker, "message", { signal });
      return answer as T;
    } catch (error) {
      const reason = signal.aborted ? `it took longer than ${ANSWER_MS_MAX / 1_000} s` : (error as Error).message;
      return this.#input.log.refuse("format", `it cannot be read as ${this.#title}: ${reason}`);
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
