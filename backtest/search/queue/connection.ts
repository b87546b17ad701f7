// Seam: the only file that loads BullMQ and ioredis, which who wants a queue installs next to pegbot. A queue beyond this
// machine needs TLS and a password; the password is not part of the address, which every user can read in a process list.

import type { ConnectionOptions } from "bullmq";
import type { Redis, RedisOptions } from "ioredis";
import { isLoopback } from "../../../src/domain/loopback.ts";
import { err, ok, type Result } from "../../../src/domain/result.ts";
import { printable } from "../../../src/domain/sanitise.ts";

export type QueueAddress = {
  readonly options: RedisOptions;
  /** Without the password. */
  readonly text: string;
};

const FORM = "must look like redis://host:6379 or rediss://user@host:6379/0";

/**
 * The text given is not repeated: it may contain a password. `insecureHost`: the host that is allowed without TLS and
 * password.
 */
export function parseQueueAddress(given: string, password?: string, insecureHost?: string): Result<QueueAddress> {
  const url = URL.parse(given);
  const database = /^rediss?:\/([0-9]{1,4})?$/.exec(`${url?.protocol}${url?.pathname || "/"}`);
  if (url === null || database === null || `${url.search}${url.hash}` !== "" || !/^[^%]*$/.test(url.username))
    return err(FORM);
  if (url.password !== "")
    return err("must have no password in it, which every user of this machine can list: set PEGBOT_QUEUE_PASSWORD");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (host === "") return err(FORM);
  const tls = url.protocol === "rediss:";
  const text = printable(`${url.protocol}//${url.host}${url.pathname === "/" ? "" : url.pathname}`, 200);
  if (!(tls && password !== undefined) && !isLoopback(host) && insecureHost !== host)
    return err(
      `${text} is beyond this machine, and needs TLS (rediss://) and a password (PEGBOT_QUEUE_PASSWORD): whoever reaches it can read and change what is computed; --insecure-queue ${host} uses it all the same`,
    );
  const options = {
    ...{ host, port: Number(url.port || 6_379), db: Number(database[1] ?? 0) },
    ...(url.username === "" ? {} : { username: url.username }),
    ...(password === undefined ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
  };
  return ok({ options, text });
}

export type QueueLink = {
  readonly redis: Redis;
  readonly bullmq: typeof import("bullmq");
  readonly tell: (line: string) => void;
  /** For each queue, its events and its workers. */
  readonly settings: {
    readonly connection: ConnectionOptions;
    readonly prefix: string;
    readonly skipVersionCheck: true;
  };
  /** Also while the queue is gone. */
  close(...users: readonly { close(): Promise<void> }[]): Promise<void>;
};

const CONNECT_MS = 5_000;
const RETRY_MS_MAX = 1_000;
const NOT_INSTALLED =
  "the packages of the queue are not installed next to pegbot: npm install --no-save bullmq@6.7.0 ioredis@5.11.1";

/** Fails at once where the first connection fails; later it reconnects until it is closed. */
export async function openLink({ options, text }: QueueAddress, tell: (line: string) => void): Promise<QueueLink> {
  const { bullmq, ioredis } = await packages();
  let [isUp, isLost] = [false, false];
  let cause: Error | undefined;
  const redis = new ioredis.Redis({
    ...options,
    ...{ lazyConnect: true, connectTimeout: CONNECT_MS, maxRetriesPerRequest: null },
    retryStrategy: (times) => (isUp ? Math.min(times * 100, RETRY_MS_MAX) : null),
  });
  redis.on("error", (error: Error) => {
    // The first: after a wrong password every later command is refused for lack of authentication.
    cause ??= error;
    if (isUp && !isLost) tell(`the queue at ${text} is lost (${error.message}): reconnecting`);
    isLost = isUp;
  });
  redis.on("ready", () => {
    isLost = false;
  });
  try {
    await redis.connect();
    await redis.ping();
    isUp = true;
  } catch (error) {
    redis.disconnect();
    throw new Error(`the queue at ${text} cannot be used: ${(cause ?? (error as Error)).message}`);
  }
  return {
    redis,
    ...{ bullmq, tell },
    settings: { connection: redis as unknown as ConnectionOptions, prefix: "pegbot", skipVersionCheck: true },
    async close(...users) {
      isUp = false;
      const closing = Promise.allSettled(users.map((user) => user.close()));
      if (redis.status === "ready") await closing;
      redis.disconnect();
    },
  };
}

async function packages() {
  try {
    const [bullmq, ioredis] = await Promise.all([import("bullmq"), import("ioredis")]);
    return { bullmq, ioredis };
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "ERR_MODULE_NOT_FOUND") throw new Error(NOT_INSTALLED);
    throw error;
  }
}
