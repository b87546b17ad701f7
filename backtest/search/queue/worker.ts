// A worker at a queue: takes trials of its own code, fetches the files they name, runs them in its pool and stores the
// results under the hash of each trial. The trials of a worker that dies go to the others.

import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { requireFolder } from "../../../src/disk/create-folder.ts";
import { createFile } from "../../../src/disk/new-file.ts";
import { DAY_MS, type Timers } from "../../../src/domain/time.ts";
import { ColumnWriter, loadColumnFile } from "../../data/file/column-file.ts";
import { DataRefused } from "../../data/problem.ts";
import type { Pool } from "../pool.ts";
import { type Trial, trialDigest } from "../trial.ts";
import { bundleOf, type HashedColumns, hashedColumns } from "../trial-files.ts";
import { resultText } from "../trial-result.ts";
import type { QueueAddress } from "./address.ts";
import { JobFailed, type QueueLink, queueTrouble, takeJobs } from "./connection.ts";
import { announce, jobsName, leave, type Presence, present, resultKey, whyNoSweep } from "./presence.ts";
import { fetchColumns, fetchStrategy } from "./transfer.ts";

export type WorkerParts = {
  readonly address: QueueAddress;
  readonly link: QueueLink;
  readonly presence: Presence;
  readonly id: string;
  readonly pool: Pool;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** The folder for fetched files. */
  readonly folder: string;
  /** Called for a column file in the folder that is in use from now on. */
  readonly used: (path: string) => void;
  readonly tell: (line: string) => void;
  readonly done: (runs: number) => void;
  readonly settings: WorkerSettings;
};

export type WorkerSettings = {
  readonly beatMs: number;
  readonly beatsLostMax: number;
  /** A trial of a worker that is silent for this long goes to another. */
  readonly lockMs: number;
};

export const workerDefaults: WorkerSettings = { beatMs: 2_000, beatsLostMax: 15, lockMs: 30_000 };

/** Works until it is stopped; returns the reason if it stopped on its own. */
export async function work(parts: WorkerParts, take: typeof takeJobs = takeJobs): Promise<string | undefined> {
  const { address, link, presence, id, pool, settings, tell } = parts;
  const early = whyNoSweep(presence, await present(link, "sweep"));
  if (early !== undefined) return early;
  await announce(link, id, presence, settings.beatMs);
  const store = new Store(parts);
  let runs = 0;
  const handle = async (job: string, data: unknown): Promise<void> => {
    const trial = data as Trial;
    if (trialDigest(trial) !== job) throw new JobFailed("a trial arrived as another one");
    await store.bring(trial);
    const result = await pool.run(trial).catch((error: Error) => Promise.reject(new JobFailed(error.message)));
    await link.set(resultKey(presence.code, job), resultText(result), DAY_MS);
    parts.done(++runs);
  };
  const { lockMs } = settings;
  const names = presence.strategyFiles ? [false, true] : [false];
  const takers = await Promise.all(
    names.map((files) =>
      take(address, jobsName(presence.code, files), { concurrency: pool.inFlightMax, lockMs, handle }),
    ),
  );
  tell(`ready, ${pool.inFlightMax} at a time`);
  try {
    return await untilOver(parts);
  } finally {
    await Promise.all(takers.map((taker) => taker.close()));
    await leave(link, id, presence).catch(() => undefined);
  }
}

/** Undefined when it was stopped from outside. */
function untilOver({ link, presence, id, timers, signal, settings }: WorkerParts): Promise<string | undefined> {
  return new Promise((resolve) => {
    let lost = 0;
    const beat = async (): Promise<void> => {
      try {
        await announce(link, id, presence, settings.beatMs);
        const refusal = whyNoSweep(presence, await present(link, "sweep"));
        if (refusal !== undefined) return resolve(refusal);
        lost = 0;
      } catch (error) {
        if (++lost >= settings.beatsLostMax)
          return resolve(`the queue at ${link.address.text} does not answer any more: ${queueTrouble(error)}`);
      }
      if (!signal.aborted) timers.after(settings.beatMs, () => void beat());
    };
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
    if (signal.aborted) resolve(undefined);
    else timers.after(settings.beatMs, () => void beat());
  });
}

/** Fetches the files that trials name, once for all of them. */
class Store {
  readonly #parts: WorkerParts;
  readonly #brought = new Map<string, Promise<void>>();

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  async bring({ data, strategy }: Trial): Promise<void> {
    for (const { digest } of data) await this.#once(`columns ${digest}`, () => this.#columns(digest));
    if (strategy.kind === "file")
      await this.#once(`strategy ${strategy.digest}`, () => this.#strategy(strategy.digest));
  }

  /** A failed fetch is retried with the next trial. */
  #once(name: string, bring: () => Promise<void>): Promise<void> {
    const known = this.#brought.get(name);
    if (known !== undefined) return known;
    const coming = bring();
    this.#brought.set(name, coming);
    coming.catch(() => this.#brought.delete(name));
    return coming;
  }

  async #columns(digest: string): Promise<void> {
    const { link, folder, pool, used, tell } = this.#parts;
    const path = join(folder, "columns", `queue-${digest}.columns`);
    let columns = keptColumns(path, digest);
    if (columns === undefined) {
      columns = await fetchColumns(link, digest);
      keepColumns(path, columns);
      tell(`fetched ${columns.columns[0]?.length ?? 0} rows of ${columns.subject.symbol}, ${digest.slice(0, 12)}`);
    }
    used(path);
    pool.learn({ columns: [columns], strategies: [] });
  }

  async #strategy(digest: string): Promise<void> {
    const { link, folder, pool, presence, tell } = this.#parts;
    if (!presence.strategyFiles)
      throw new JobFailed("this worker runs no strategy files: start it with --allow-strategy-files");
    const bundle = await fetchStrategy(link, digest);
    const place = join(folder, "strategies", digest);
    const path = join(place, bundle.main);
    const kept = existsSync(path) ? bundleOf(path) : undefined;
    if (!(kept?.ok === true && kept.value.digest === digest)) {
      const fresh = `${place}.${process.pid}.new`;
      rmSync(fresh, { recursive: true, force: true });
      for (const { name, text } of bundle.files) {
        requireFolder(dirname(join(fresh, name)), 0o700);
        createFile(join(fresh, name), text, 0o600);
      }
      rmSync(place, { recursive: true, force: true });
      renameSync(fresh, place);
    }
    tell(`runs the strategy file ${bundle.main} of the queue, sha256 ${digest}, as this user`);
    pool.learn({ columns: [], strategies: [{ digest, path }] });
  }
}

/** Undefined where the file is missing or damaged. */
function keptColumns(path: string, digest: string): HashedColumns | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const kept = hashedColumns(loadColumnFile(path));
    if (kept.digest === digest) return kept;
  } catch (error) {
    if (!(error instanceof DataRefused)) throw error;
  }
  rmSync(path, { force: true });
  return undefined;
}

function keepColumns(path: string, { subject, columns }: HashedColumns): void {
  const writer = new ColumnWriter(path, subject.kind, false);
  try {
    writer.write(columns, columns[0]?.length ?? 0);
    writer.finish(subject);
  } catch (error) {
    writer.abandon();
    throw error;
  }
}
