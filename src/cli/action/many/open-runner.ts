// Who makes the runs of a search: processes of this machine, or the workers of a queue that a person named.

import { availableParallelism } from "node:os";
import type { CodeIdentity } from "../../../../backtest/search/identity.ts";
import { openPool, type Runner } from "../../../../backtest/search/pool.ts";
import { CommandFailure } from "../../command-failure.ts";
import { exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import type { BaseTrial } from "./base-trial.ts";
import { type QueueFlags, queueAddress } from "./open-queue.ts";

export type RunnerFlags = Partial<QueueFlags> & { readonly workers?: number };

type ClosableRunner = Runner & { close(): Promise<void> };

/** What is wrong with a queue's address is said before data are read. */
export function requireRunner(flags: RunnerFlags): void {
  const queue = queueOf(flags);
  if (queue === undefined && flags.insecureQueue !== undefined)
    throw new CommandFailure(exitCode.usage, "--insecure-queue needs --queue");
  if (queue === undefined) return;
  if (flags.workers !== undefined)
    throw new CommandFailure(exitCode.usage, "--workers is for this machine: a queue has its own workers");
  queueAddress(queue);
}

export async function openRunner(
  { terminal }: Pick<Shell, "terminal">,
  flags: RunnerFlags,
  base: BaseTrial,
  code: CodeIdentity,
): Promise<ClosableRunner> {
  const queue = queueOf(flags);
  const tell = (line: string): void => terminal.note(line);
  if (queue === undefined) return openPool(flags.workers ?? availableParallelism(), base.ground, { tell });
  const { openQueue } = await import("./queue-runner.ts");
  return openQueue({ terminal }, queue, base, code);
}

function queueOf({ queue, insecureQueue }: RunnerFlags): QueueFlags | undefined {
  return queue === undefined ? undefined : { queue, ...(insecureQueue === undefined ? {} : { insecureQueue }) };
}
