// `worker`: runs trials of sweeps for a queue until it is stopped.

import { once } from "node:events";
import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError } from "commander";
import { codeIdentity, identityText } from "../../../backtest/search/identity.ts";
import { openPool } from "../../../backtest/search/pool.ts";
import { openLink } from "../../../backtest/search/queue/connection.ts";
import { queueWorker } from "../../../backtest/search/queue/queue.ts";
import { strategyDigest } from "../../../backtest/search/trial-files.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { versionText } from "../../app/version.ts";
import { orFail } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { duration } from "../option/values.ts";
import { type QueueFlags, queueAddress, queueFailure } from "../research/runner.ts";
import { workers } from "../research/search.ts";

const LOCK_MS = 30_000;
/** A shorter lock would expire on a busy machine before the worker reports. */
const LOCK_MS_MIN = 1_000;

export function defineWorker(command: Command, run: Run): void {
  command
    .requiredOption(
      "--queue <address>",
      "redis://host:6379, or rediss:// with TLS; PEGBOT_QUEUE_PASSWORD has the password",
    )
    .option("--workers <n>", "processes; otherwise one for each core", workers)
    .option("--strategy <file>", "runs sweeps of this strategy file too: the same file as the sweep's")
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
  readonly strategy?: string;
  readonly lock: number;
};

async function worker({ terminal, stopSignal }: Shell, flags: WorkerFlags): Promise<ExitCode> {
  const address = queueAddress(flags);
  const signal = stopSignal();
  const code = codeIdentity();
  const tell = (line: string): void => terminal.print(`worker  ${line}`);
  const file = flags.strategy;
  const strategies = file === undefined ? [] : [{ digest: orFail(strategyDigest(file)), path: file }];
  const link = await openLink(address, tell).catch(queueFailure);
  const pool = openPool(
    flags.workers ?? availableParallelism(),
    { columns: [], strategies, codeVersion: versionText() },
    { tell },
  );
  tell(
    `${identityText(code)}, at ${address.text}; runs ${file === undefined ? "" : `${file} and `}built-in strategies`,
  );
  const working = await queueWorker(link, {
    ...{ code, pool, strategy: strategies[0]?.digest, lockMs: flags.lock },
    done: (runs) => terminal.renote(`${runs} runs`),
  }).catch(queueFailure);
  tell(`ready, ${pool.inFlightMax} at a time`);
  if (!signal.aborted) await once(signal, "abort");
  await working.close();
  await pool.close();
  return exitCode.done;
}
