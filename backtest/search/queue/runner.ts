// A runner on the workers of a queue: it sends jobs out, collects results wherever they were computed, and reports a
// queue that does not answer. Ending it at any moment loses nothing: jobs and results stay at the queue.

import { z } from "zod";
import type { Timers } from "../../../src/domain/time.ts";
import type { CodeIdentity } from "../identity.ts";
import type { Runner } from "../pool.ts";
import { type Trial, trialDigest } from "../trial.ts";
import type { TrialResult } from "../trial-result.ts";
import type { QueueAddress } from "./address.ts";
import { type JobEnd, type Jobs, openJobs, type QueueLink, queueTrouble } from "./connection.ts";
import { announce, isSame, jobsName, leave, type Presence, present, resultKey, whyNoWorker } from "./presence.ts";

export interface QueueRunner extends Runner {
  close(): Promise<void>;
}

export type RunnerParts = {
  readonly link: QueueLink;
  readonly presence: Presence;
  readonly timers: Timers;
  readonly tell: (line: string) => void;
  readonly settings: RunnerSettings;
};

export type RunnerSettings = {
  /** Interval between checks of the pending jobs. */
  readonly beatMs: number;
  /** After this many beats without an answer the queue counts as lost. */
  readonly beatsLostMax: number;
};

export const runnerDefaults: RunnerSettings = { beatMs: 2_000, beatsLostMax: 15 };

/** Jobs waiting at the queue at a time: enough for a hundred cores, and little to discard. */
const IN_FLIGHT = 256;

type Waiting = {
  readonly trial: Trial;
  readonly resolve: (result: TrialResult) => void;
  readonly reject: (error: Error) => void;
};

export async function openQueueRunner(
  address: QueueAddress,
  id: string,
  parts: RunnerParts,
  open: typeof openJobs = openJobs,
): Promise<QueueRunner> {
  const { link, presence, settings } = parts;
  await announce(link, id, presence, settings.beatMs);
  const refusal = whyNoWorker(presence, await present(link, "worker"));
  // The announcement stays until it expires, so that those workers see it too.
  if (refusal !== undefined) throw new Error(refusal);
  const waiting = new Map<string, Waiting>();
  let runner: Under | undefined;
  const jobs = await open(address, jobsName(presence.code, presence.strategyFiles), (job, end) =>
    runner?.ended(job, end),
  );
  runner = new Under(waiting, jobs, parts, id);
  runner.begin();
  return runner;
}

class Under implements QueueRunner {
  readonly inFlightMax = IN_FLIGHT;
  readonly #waiting: Map<string, Waiting>;
  readonly #jobs: Jobs;
  readonly #parts: RunnerParts;
  readonly #id: string;
  #cancel: (() => void) | undefined;
  #isOver: Error | undefined;
  #lost = 0;
  #told = "";

  constructor(waiting: Map<string, Waiting>, jobs: Jobs, parts: RunnerParts, id: string) {
    this.#waiting = waiting;
    this.#jobs = jobs;
    this.#parts = parts;
    this.#id = id;
  }

  begin(): void {
    this.#cancel = this.#parts.timers.after(this.#parts.settings.beatMs, () => void this.#beat());
  }

  run(trial: Trial): Promise<TrialResult> {
    const digest = trialDigest(trial);
    return new Promise((resolve, reject) => {
      if (this.#isOver !== undefined) return reject(this.#isOver);
      this.#waiting.set(digest, { trial, resolve, reject });
      // A failure now is retried at the next beat.
      this.#ask(digest, trial).catch(() => undefined);
    });
  }

  ended(digest: string, end: JobEnd): void {
    const waiting = this.#waiting.get(digest);
    if (waiting === undefined) return;
    if (end.kind === "done") void this.#take(digest).catch(() => undefined);
    else {
      this.#waiting.delete(digest);
      waiting.reject(new Error(end.reason));
    }
  }

  async close(): Promise<void> {
    this.#fail(new Error("the queue has been left"));
    await leave(this.#parts.link, this.#id, this.#parts.presence).catch(() => undefined);
    await this.#jobs.close();
  }

  async #ask(digest: string, trial: Trial): Promise<void> {
    if (!(await this.#take(digest))) await this.#jobs.add(digest, trial);
  }

  async #take(digest: string): Promise<boolean> {
    const text = await this.#parts.link.get(resultKey(this.#code, digest));
    if (text === undefined) return false;
    const waiting = this.#waiting.get(digest);
    this.#waiting.delete(digest);
    const result = resultIn(text);
    if (result?.trial === digest) waiting?.resolve(result);
    else waiting?.reject(new Error(`the queue has no result for trial ${digest}, but something else in its place`));
    return true;
  }

  /** Announces itself and checks the pending jobs: a queue may have lost a job, or the message that one is done. */
  async #beat(): Promise<void> {
    const { link, presence, settings } = this.#parts;
    try {
      await announce(link, this.#id, presence, settings.beatMs);
      this.#tellWho(await present(link, "worker"));
      await Promise.all(
        [...this.#waiting].map(async ([digest, { trial }]) => {
          if (!(await this.#jobs.has(digest))) await this.#ask(digest, trial);
        }),
      );
      this.#lost = 0;
    } catch (error) {
      this.#lost++;
      if (this.#lost >= settings.beatsLostMax)
        this.#fail(new Error(`the queue at ${link.address.text} does not answer any more: ${queueTrouble(error)}`));
    }
    if (this.#isOver === undefined) this.begin();
  }

  get #code(): CodeIdentity {
    return this.#parts.presence.code;
  }

  #tellWho(workers: readonly Presence[]): void {
    const { presence, tell } = this.#parts;
    const others = workers.filter(({ code }) => !isSame(code, presence.code)).map(({ name }) => name);
    const said =
      whyNoWorker(presence, workers) ??
      (workers.length === 0
        ? "no worker is at the queue: pegbot worker --queue starts one"
        : others.length > 0
          ? `of another version, and refused: ${others.join(", ")}`
          : "");
    if (said !== this.#told && said !== "") tell(said);
    this.#told = said;
  }

  #fail(error: Error): void {
    this.#isOver ??= error;
    this.#cancel?.();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

const count = z.number().int().min(0);
const returns = z
  .strictObject({
    periodMs: z.number().positive(),
    perYear: z.number().positive(),
    equity: z.array(z.number()),
    holding: z.array(z.number()),
  })
  .refine(({ equity, holding }) => equity.length === holding.length);
const written = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("ran"),
    trial: z.string(),
    traceHash: z.string(),
    state: z.string(),
    fault: z.string().optional(),
    orders: count,
    fills: count,
    figures: z.record(z.string(), z.number().nullable()),
    returns,
  }),
  z.strictObject({ kind: z.literal("refused"), trial: z.string(), reason: z.string() }),
]);

/** Undefined where the text is not a result. */
function resultIn(text: string): TrialResult | undefined {
  try {
    return written.parse(JSON.parse(text)) as TrialResult;
  } catch {
    return undefined;
  }
}
