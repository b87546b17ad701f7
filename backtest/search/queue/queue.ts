// Trials on the workers of a queue. Jobs are named by code and strategy file, so that a worker takes only what it can run
// and results of two codes never mix, and by the hash of the trial. Columns travel, and are hashed again on arrival; code
// does not.

import { invariant } from "../../../src/domain/invariant.ts";
import { DAY_MS } from "../../../src/domain/time.ts";
import { createColumn } from "../../../src/market/column.ts";
import { bytesOf } from "../../data/column-file.ts";
import { COLUMNS, type Subject } from "../../data/source.ts";
import { type CodeIdentity, canonicalDigest, identityText } from "../identity.ts";
import type { Pool, Runner } from "../pool.ts";
import { type Trial, trialDigest } from "../trial.ts";
import { columnsDigest, type HashedColumns, type TrialFiles } from "../trial-files.ts";
import type { TrialResult } from "../trial-result.ts";
import type { QueueLink } from "./connection.ts";

/** Enough for a hundred cores, and little to discard. */
const IN_FLIGHT = 256;
/** A job without an answer is added again: where it is still there, that changes nothing. */
const AGAIN_MS = 30_000;
const FILES_MS = 7 * DAY_MS;
/** A job that ended this many workers is the cause. */
const STALLED_MAX = 3;

type Closed = { close(): Promise<void> };

export async function queueRunner(
  link: QueueLink,
  { columns, strategies: [strategy] }: TrialFiles,
  code: CodeIdentity,
): Promise<Runner & Closed> {
  const { bullmq, settings, tell } = link;
  for (const one of columns) await sendColumns(link, one);
  const name = jobsName(code, strategy?.digest);
  const queue = new bullmq.Queue(name, settings);
  const events = new bullmq.QueueEvents(name, settings);
  queue.on("error", () => undefined);
  events.on("error", () => undefined);
  await events.waitUntilReady();
  const what = `${identityText(code)}${strategy === undefined ? "" : `, started with --strategy ${strategy.path}`}`;
  if ((await queue.getWorkersCount()) === 0) tell(`waiting: no worker for this sweep is at the queue (${what})`);
  return {
    inFlightMax: IN_FLIGHT,
    async run(trial) {
      const jobId = trialDigest(trial);
      const kept = { removeOnComplete: { age: DAY_MS / 1_000 }, removeOnFail: true };
      for (;;) {
        const job = await queue.add("trial", trial, { jobId, ...kept });
        try {
          const result = (await job.waitUntilFinished(events, AGAIN_MS)) as TrialResult | undefined;
          if (result?.trial === jobId && ["ran", "refused"].includes(result.kind)) return result;
          throw new Error(`the queue has no result for trial ${jobId}, but something else in its place`);
        } catch (error) {
          if (!/timed out before finishing|^Missing key for job/.test((error as Error).message)) throw error;
        }
      }
    },
    close: () => link.close(queue, events),
  };
}

export type Taking = {
  readonly code: CodeIdentity;
  readonly pool: Pool;
  /** The digest of the strategy file that it runs next to the built-in ones. */
  readonly strategy: string | undefined;
  /** The job of a worker that is silent for this long goes to another. */
  readonly lockMs: number;
  readonly done: (runs: number) => void;
};

/** Works until it is closed. */
export async function queueWorker(link: QueueLink, taking: Taking): Promise<Closed> {
  const { code, pool, strategy, lockMs, done } = taking;
  const fetched = new Map<string, Promise<void>>();
  let runs = 0;
  const fetchOnce = (digest: string): Promise<void> => {
    const coming = fetched.get(digest) ?? fetchColumns(link, digest, pool);
    fetched.set(digest, coming);
    coming.catch(() => fetched.delete(digest));
    return coming;
  };
  const workers = (strategy === undefined ? [undefined] : [undefined, strategy]).map(
    (file) =>
      new link.bullmq.Worker<Trial, TrialResult>(
        jobsName(code, file),
        async ({ id, data: trial }) => {
          invariant(trialDigest(trial) === id, "a trial must arrive as it was sent");
          for (const { digest } of trial.data) await fetchOnce(digest);
          const result = await pool.run(trial);
          done(++runs);
          return result;
        },
        {
          ...link.settings,
          concurrency: pool.inFlightMax,
          ...{ lockDuration: lockMs, stalledInterval: lockMs, maxStalledCount: STALLED_MAX },
        },
      ),
  );
  for (const worker of workers) worker.on("error", () => undefined);
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  // Runs under way are given up: they go to the others when their locks expire.
  return { close: () => link.close(...workers.map((worker) => ({ close: () => worker.close(true) }))) };
}

function jobsName(code: CodeIdentity, strategy: string | undefined): string {
  return `trials-${canonicalDigest(code).slice(0, 16)}${strategy === undefined ? "" : `-${strategy.slice(0, 16)}`}`;
}

async function sendColumns({ redis }: QueueLink, { digest, subject, columns }: HashedColumns): Promise<void> {
  const key = `pegbot:columns:${digest}`;
  if ((await redis.pexpire(key, FILES_MS)) === 1) return;
  const parts = columns.map((column, c) => [String(c), Buffer.from(bytesOf(column, 0, column.length))] as const);
  await redis
    .multi()
    .hset(key, new Map<string, string | Buffer>([["subject", JSON.stringify(subject)], ...parts]))
    .pexpire(key, FILES_MS)
    .exec();
}

async function fetchColumns({ redis, tell }: QueueLink, digest: string, pool: Pool): Promise<void> {
  const found = await redis.hgetallBuffer(`pegbot:columns:${digest}`);
  invariant(found.subject !== undefined, `the columns ${digest} are not at the queue any more: start the sweep again`);
  const subject = JSON.parse(String(found.subject)) as Subject;
  const columns = COLUMNS[subject.kind].map((_, c) => {
    const bytes = found[c] ?? Buffer.alloc(0);
    const column = createColumn(Math.floor(bytes.length / Float64Array.BYTES_PER_ELEMENT), "shared");
    bytesOf(column, 0, column.length).set(bytes.subarray(0, column.byteLength));
    return column;
  });
  invariant(columnsDigest(subject, columns) === digest, `the columns ${digest} must arrive as they were sent`);
  tell(`fetched ${columns[0]?.length ?? 0} rows of ${subject.symbol}, ${digest.slice(0, 12)}`);
  pool.learn({ columns: [{ digest, subject, columns }], strategies: [] });
}
