// Seam: the only file that knows Redis and BullMQ. A connection stores texts and bytes under keys that expire. A job is
// handed out to one process at a time, and goes back when that process is gone.

import { Queue, QueueEvents, UnrecoverableError, Worker } from "bullmq";
import { Redis, type RedisOptions } from "ioredis";
import type { QueueAddress } from "./address.ts";

export interface QueueLink {
  readonly address: QueueAddress;
  get(key: string): Promise<string | undefined>;
  getAll(keys: readonly string[]): Promise<readonly (string | undefined)[]>;
  getBytes(key: string): Promise<Uint8Array | undefined>;
  /** The value expires after `ttlMs`. */
  set(key: string, value: string | Uint8Array, ttlMs: number): Promise<void>;
  /** Extends the lifetime to `ttlMs` from now; false where the key does not exist. */
  prolong(key: string, ttlMs: number): Promise<boolean>;
  remove(key: string): Promise<void>;
  keysBelow(prefix: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A failure that a retry would repeat; any other failure of a job is retried. */
export class JobFailed extends Error {
  override readonly name = "JobFailed";
}

/** The queue cannot be reached or refuses the login. */
class QueueUnreachable extends Error {
  override readonly name = "QueueUnreachable";
}

const PREFIX = "pegbot";
const CONNECT_MS = 5_000;
const RETRY_MS_MAX = 1_000;
/** Limits for a command while the connection is down, and for its duration; the caller may retry. */
const IMPATIENT: RedisOptions = { maxRetriesPerRequest: 3, commandTimeout: 10_000 };
/** BullMQ requires this of connections that wait for jobs. */
const PATIENT: RedisOptions = { maxRetriesPerRequest: null };
/** After this many workers died with a job, the job is the cause. */
const STALLED_MAX = 3;
/** Retries of failures that the job did not cause. */
const AGAIN = { attempts: 5, backoff: { type: "fixed", delay: 1_000 } };
const FOUND_PER_SCAN = 500;

/** An error text for readers who do not know the library. */
export function queueTrouble(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return name === "MaxRetriesPerRequestError" ? "no connection to it can be made" : message;
}

function failureText(reason: string): string {
  return reason.startsWith("job stalled")
    ? `a run was lost ${STALLED_MAX + 1} times: it ended each worker that took it, or they were silent for longer than their --lock`
    : reason;
}

export async function openLink(address: QueueAddress): Promise<QueueLink> {
  const redis = await connected(address, IMPATIENT);
  return {
    address,
    get: async (key) => (await redis.get(key)) ?? undefined,
    getAll: async (keys) => (keys.length === 0 ? [] : (await redis.mget(...keys)).map((text) => text ?? undefined)),
    getBytes: async (key) => (await redis.getBuffer(key)) ?? undefined,
    async set(key, value, ttlMs) {
      await redis.set(key, typeof value === "string" ? value : Buffer.from(value), "PX", ttlMs);
    },
    prolong: async (key, ttlMs) => (await redis.pexpire(key, ttlMs)) === 1,
    async remove(key) {
      await redis.del(key);
    },
    async keysBelow(prefix) {
      const found = new Set<string>();
      for (let cursor = "0", isFirst = true; isFirst || cursor !== "0"; isFirst = false) {
        const [next, keys] = await redis.scan(cursor, "MATCH", `${prefix}*`, "COUNT", FOUND_PER_SCAN);
        for (const key of keys) found.add(key);
        cursor = next;
      }
      return [...found].sort();
    },
    async close() {
      redis.disconnect();
    },
  };
}

export type JobEnd = { readonly kind: "done" } | { readonly kind: "failed"; readonly reason: string };

export interface Jobs {
  /** Adds a job once per id, however often it is called. */
  add(id: string, data: unknown): Promise<void>;
  has(id: string): Promise<boolean>;
  close(): Promise<void>;
}

export async function openJobs(
  address: QueueAddress,
  name: string,
  onEnd: (id: string, end: JobEnd) => void,
): Promise<Jobs> {
  const redis = await connected(address, IMPATIENT);
  const listening = await connected(address, PATIENT);
  const endAll = enderOf(redis, listening);
  const queue = new Queue(name, { connection: redis, prefix: PREFIX, skipVersionCheck: true });
  const events = new QueueEvents(name, { connection: listening, prefix: PREFIX, skipVersionCheck: true });
  queue.on("error", () => undefined);
  events.on("error", () => undefined);
  events.on("completed", ({ jobId }) => onEnd(jobId, { kind: "done" }));
  events.on("failed", ({ jobId, failedReason }) => onEnd(jobId, { kind: "failed", reason: failureText(failedReason) }));
  await events.waitUntilReady();
  return {
    async add(id, data) {
      await queue.add("trial", data, { jobId: id, removeOnComplete: true, removeOnFail: true, ...AGAIN });
    },
    has: async (id) => (await queue.getJob(id)) !== undefined,
    async close() {
      // Not awaited: while the queue is gone these calls would wait for it for ever.
      void events.close().catch(() => undefined);
      void queue.close().catch(() => undefined);
      endAll();
    },
  };
}

export type JobWork = {
  readonly concurrency: number;
  /** The job of a worker that is silent for this long goes back. */
  readonly lockMs: number;
  readonly handle: (id: string, data: unknown) => Promise<void>;
};

export async function takeJobs(
  address: QueueAddress,
  name: string,
  work: JobWork,
): Promise<{ close(): Promise<void> }> {
  const redis = await connected(address, PATIENT);
  const endAll = enderOf(redis);
  const worker = new Worker(
    name,
    async ({ id, data }) => {
      try {
        await work.handle(id ?? "", data);
      } catch (error) {
        if (error instanceof JobFailed) throw new UnrecoverableError(error.message);
        throw error;
      }
    },
    {
      connection: redis,
      prefix: PREFIX,
      concurrency: work.concurrency,
      lockDuration: work.lockMs,
      stalledInterval: work.lockMs,
      maxStalledCount: STALLED_MAX,
      skipVersionCheck: true,
    },
  );
  worker.on("error", () => undefined);
  return {
    async close() {
      // Closes at once: its jobs go back when their locks expire. Not awaited, as above.
      void worker.close(true).catch(() => undefined);
      endAll();
    },
  };
}

/** Ends these connections and those derived from them later: listening opens a connection of its own. */
function enderOf(...lines: readonly Redis[]): () => void {
  const made: Redis[] = [...lines];
  for (const line of lines) {
    const duplicate = line.duplicate.bind(line);
    line.duplicate = (options) => {
      const copy = duplicate(options);
      made.push(copy);
      return copy;
    };
  }
  return () => {
    for (const line of made) line.disconnect();
  };
}

/** Fails at once where the first connection fails; later it reconnects. */
async function connected(address: QueueAddress, options: RedisOptions): Promise<Redis> {
  const { host, port, database, tls, user, password, text } = address;
  let wasUp = false;
  let cause: Error | undefined;
  const redis = new Redis({
    ...options,
    host,
    port,
    db: database,
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    retryStrategy: (times) => (wasUp ? Math.min(times * 100, RETRY_MS_MAX) : null),
  });
  redis.on("error", (error: Error) => {
    // Keeps the first error: after a wrong password every later command is refused for lack of authentication.
    cause ??= error;
  });
  try {
    await redis.connect();
    await redis.ping();
    wasUp = true;
    return redis;
  } catch (error) {
    redis.disconnect();
    const reason = cause ?? (error as Error);
    throw new QueueUnreachable(`the queue at ${text} cannot be used: ${reason.message}`);
  }
}
