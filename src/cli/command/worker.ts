// `worker`: a machine's cores for sweeps on a queue.

import { type Command, InvalidArgumentError } from "commander";
import type { WorkerFlags } from "../action/worker.ts";
import { group } from "../command-group.ts";
import { duration } from "../option/data-options.ts";
import { wholeNumber } from "../option/whole-number.ts";
import type { Run } from "../shell.ts";

const WORKERS_MAX = 256;
const LOCK_MS = 30_000;
/** Less is over before a busy machine has said a word. */
const LOCK_MS_MIN = 1_000;

export function registerWorker(program: Command, run: Run): void {
  program
    .command("worker")
    .helpGroup(group.research)
    .description("run trials of sweeps that a queue has (sweep --queue), until stopped")
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
    .action((flags: WorkerFlags) => run(async (shell) => (await import("../action/worker.ts")).worker(shell, flags)));
}

function lockTime(text: string): number {
  const ms = duration(text);
  if (ms < LOCK_MS_MIN) throw new InvalidArgumentError(`must be 1s or more, was ${text}`);
  return ms;
}
