// `worker`: runs trials of sweeps for a queue until it is stopped.

import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { codeIdentity, identityText } from "../../../backtest/search/identity.ts";
import { openPool } from "../../../backtest/search/pool.ts";
import { openLink } from "../../../backtest/search/queue/connection.ts";
import { work, workerDefaults } from "../../../backtest/search/queue/worker.ts";
import { columnCache, keepCacheSmall } from "../data/column-cache.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system/system-timers.ts";
import { versionText } from "../version.ts";
import { ownName, type QueueFlags, queueAddress, queueFailure } from "./many/open-queue.ts";

export type WorkerFlags = QueueFlags & {
  readonly workers?: number;
  readonly allowStrategyFiles?: true;
  readonly lock: number;
};

export async function worker({ terminal, clock, stopSignal }: Shell, flags: WorkerFlags): Promise<ExitCode> {
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
