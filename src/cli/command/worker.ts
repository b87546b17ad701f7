// `worker`: runs trials of sweeps for a queue until it is stopped.

import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { codeIdentity, identityText } from "../../../backtest/search/identity.ts";
import { openPool } from "../../../backtest/search/pool.ts";
import { openLink } from "../../../backtest/search/queue/connection.ts";
import { work, workerDefaults } from "../../../backtest/search/queue/worker.ts";
import { columnCache, keepCacheSmall } from "../../app/data/open-data-files.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import { versionText } from "../../app/version.ts";
import { duration, wholeNumber } from "../option/values.ts";
import { ownName, type QueueFlags, queueAddress, queueFailure } from "../research/runner.ts";
import { WORKERS_MAX } from "../research/search.ts";

const LOCK_MS = 30_000;
/** A shorter lock would expire on a busy machine before the worker reports. */
const LOCK_MS_MIN = 1_000;

export function defineWorker(command: Command, run: Run): void {
  command
    .requiredOption(
      "--queue <address>",
      "redis://host:6379, or rediss:// with TLS; PEGBOT_QUEUE_PASSWORD has the password",
    )
    .option("--workers <n>", "processes; otherwise one for each core", wholeNumber(1, WORKERS_MAX))
    .option("--allow-strategy-files", "run strategy files that come over the queue: code of whoever can write to it")
    .option("--insecure-queue <host>", "the host of a queue that may go without TLS and password")
    .option(
      "--lock <time>",
      "a run goes to another worker when this one is silent for so long, 1s or more",
      lockTime,
      LOCK_MS,
    )
    .action((flags: WorkerFlags) => run((shell) => worker(shell, flags)));
}

function lockTime(text: string): number {
  const ms = duration(text);
  if (ms < LOCK_MS_MIN) throw new InvalidArgumentError(`must be 1s or more, was ${text}`);
  return ms;
}

type WorkerFlags = QueueFlags & {
  readonly workers?: number;
  readonly allowStrategyFiles?: true;
  readonly lock: number;
};

async function worker({ terminal, clock, stopSignal }: Shell, flags: WorkerFlags): Promise<ExitCode> {
  const address = queueAddress(flags);
  const signal = stopSignal();
  const code = codeIdentity();
  const strategyFiles = flags.allowStrategyFiles === true;
  const link = await openLink(address).catch((error: unknown) => Promise.reject(queueFailure(error)));
  const tell = (line: string): void => terminal.print(`worker  ${line}`);
  const nothing = { columns: [], strategies: [], codeVersion: versionText() };
  const pool = openPool(flags.workers ?? availableParallelism(), nothing, { tell });
  try {
    tell(
      `${identityText(code)}, at ${address.text}; ${strategyFiles ? "runs strategy files that come over the queue" : "built-in strategies only"}`,
    );
    const reason = await work({
      ...{ address, link, pool, signal, tell },
      presence: { role: "worker", name: ownName(), code, strategyFiles },
      id: randomUUID(),
      timers: systemTimers,
      folder: join(columnCache(), ".."),
      used: (path) => keepCacheSmall({ clock }, [path]),
      done: (runs) => terminal.renote(`${runs} runs`),
      settings: { ...workerDefaults, beatMs: Math.min(workerDefaults.beatMs, flags.lock), lockMs: flags.lock },
    });
    if (reason !== undefined) throw queueFailure(new Error(reason));
    return exitCode.done;
  } finally {
    await pool.close();
    await link.close();
  }
}
