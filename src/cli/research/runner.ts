// The runs of a search: their result store, and their workers, which are processes of this machine or those of a named
// queue. The queue's password comes from the environment and is shown nowhere.

import { availableParallelism } from "node:os";
import { type Report, reportPage } from "../../../backtest/report/report.ts";
import { type CodeIdentity, codeIdentity } from "../../../backtest/search/identity.ts";
import { openPool, type Runner } from "../../../backtest/search/pool.ts";
import { parseQueueAddress, type QueueAddress } from "../../../backtest/search/queue/connection.ts";
import { ResultStore } from "../../../backtest/search/result-store.ts";
import type { Progress, SweepParts } from "../../../backtest/search/sweep.ts";
import { requirePlace, writeResults } from "../../app/data/result-file.ts";
import type { Shell } from "../../app/shell.ts";
import { openProgress } from "../../app/terminal/progress.ts";
import { environment } from "../../config/environment.ts";
import { plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { secret } from "../../domain/redact.ts";
import type { BaseTrial } from "./search.ts";
import { showReport } from "./show-report.ts";

export type QueueFlags = { readonly queue: string; readonly insecureQueue?: string };
type RunnerFlags = Partial<QueueFlags> & { readonly workers?: number };
export type SearchPlaces = RunnerFlags & { readonly db: string; readonly out: string };

/** Undefined without a queue. */
function queueOf({ queue, insecureQueue, workers }: RunnerFlags): QueueAddress | undefined {
  if (queue === undefined && insecureQueue !== undefined) throw usageFailure("--insecure-queue needs --queue");
  if (queue === undefined) return undefined;
  if (workers !== undefined) throw usageFailure("--workers is for this machine: a queue has its own workers");
  return queueAddress({ queue, ...(insecureQueue !== undefined && { insecureQueue }) });
}

export function queueAddress({ queue, insecureQueue }: QueueFlags): QueueAddress {
  const given = environment().PEGBOT_QUEUE_PASSWORD;
  const address = parseQueueAddress(queue, given ? secret(given) : undefined, insecureQueue);
  if (!address.ok) throw usageFailure(`--queue ${address.error}`);
  return address.value;
}

/** Writes the report file, and prints the result as a table or as JSON. */
export function conclude({ terminal }: Shell, flags: SearchPlaces, report: Report, json: () => unknown): ExitCode {
  const files = writeResults([{ what: "report", flag: "--out", path: flags.out, text: reportPage(report) }]);
  if (terminal.wantsJson) terminal.json(json());
  else {
    showReport(terminal, report);
    terminal.print();
    terminal.print(`report   ${files.placeOf(flags.out)}`);
    terminal.print(`results  ${flags.db}`);
  }
  return files.tell(terminal);
}

/** Checked before any work: every file can be written, and the queue can be used. */
export function requireSearchPlaces(flags: SearchPlaces): void {
  requirePlace("--out", flags.out, ".html");
  requirePlace("--db", flags.db, ".db");
  queueOf(flags);
}

type SearchRun<T> = {
  readonly what: "backtest" | "sweep" | "walk-forward";
  readonly base: BaseTrial;
  readonly total: number;
  readonly specification: (code: CodeIdentity) => Parameters<typeof ResultStore.open>[1];
  /** Undefined if stopped. */
  readonly explore: (parts: SweepParts, code: CodeIdentity) => Promise<T | undefined>;
  readonly finish: (found: T) => Promise<ExitCode>;
};

type Exploring<T> = Pick<SearchRun<T>, "what" | "total"> & {
  readonly explore: (parts: SweepParts) => Promise<T | undefined>;
};

/** Finished runs are stored, and the same command continues from there. */
export async function runSearch<T>(
  shell: Shell,
  flags: SearchPlaces,
  signal: AbortSignal,
  { base, specification, finish, ...run }: SearchRun<T>,
): Promise<ExitCode> {
  const code = codeIdentity();
  // Opened before the store: a search that cannot start leaves no file.
  const runner = await openRunner(shell, base, { ...flags, code });
  let store: ResultStore | undefined;
  try {
    const opened = ResultStore.open(flags.db, specification(code));
    if (!opened.ok) throw usageFailure(opened.error, "--db names another file");
    store = opened.value;
    const explore = (parts: SweepParts) => run.explore(parts, code);
    const found = await explored(shell, { ...run, explore }, { store, runner, signal }, flags.db);
    return found === undefined ? exitCode.failed : await finish(found);
  } finally {
    await runner.close();
    store?.close();
  }
}

async function explored<T>(
  { terminal, clock }: Shell,
  { what, total, explore }: Exploring<T>,
  parts: Omit<SweepParts, "watch">,
  db: string,
): Promise<T | undefined> {
  const rateText = (perSecond: number): string => `${perSecond.toPrecision(2)} runs/s`;
  const progress = openProgress(terminal, clock, { what, total, rateText });
  let last: Progress = { done: 0, kept: 0, total };
  const watch = (now: Progress): void => {
    last = now;
    progress.at(now.done, now.kept);
  };
  const kept = (): string => `${last.done} of ${total} runs are kept in ${db}; the same command goes on from there`;
  try {
    const found = await explore({ ...parts, watch });
    progress.end();
    if (found === undefined) terminal.note(`stopped: ${kept()}`);
    else if (last.kept > 0) terminal.note(`${last.done} runs, ${last.kept} of them kept in ${db} from before`);
    return found;
  } catch (error) {
    progress.end();
    throw plainFailure(errorMessage(error), kept());
  }
}

async function openRunner(
  { terminal }: Pick<Shell, "terminal">,
  { ground }: BaseTrial,
  { code, ...flags }: RunnerFlags & { readonly code: CodeIdentity },
): Promise<Runner & { close(): Promise<void> }> {
  const queue = queueOf(flags);
  const tell = (line: string): void => terminal.note(line);
  if (queue === undefined) return openPool(flags.workers ?? availableParallelism(), ground, { tell });
  // The queue client is loaded only if there is a queue.
  const { openLink } = await import("../../../backtest/search/queue/connection.ts");
  const { queueRunner } = await import("../../../backtest/search/queue/queue.ts");
  return queueRunner(await openLink(queue, tell).catch(queueFailure), ground, code).catch(queueFailure);
}

/** An error of a queue is a failure and not a bug. */
export function queueFailure(error: unknown): never {
  throw plainFailure(errorMessage(error));
}
