// Sweep and worker at a queue that forgets, falls silent and comes back, beat by beat: without Redis, and on a clock of our own.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memorySource } from "../../../../backtest/data/source.ts";
import { type CodeIdentity, codeIdentity } from "../../../../backtest/search/identity.ts";
import type { Pool } from "../../../../backtest/search/pool.ts";
import type { QueueAddress } from "../../../../backtest/search/queue/address.ts";
import { type JobEnd, JobFailed, type JobWork, type QueueLink } from "../../../../backtest/search/queue/connection.ts";
import {
  jobsName,
  type Presence,
  resultKey,
  whyNoSweep,
  whyNoWorker,
} from "../../../../backtest/search/queue/presence.ts";
import { openQueueRunner } from "../../../../backtest/search/queue/runner.ts";
import { sendColumns, sendStrategy } from "../../../../backtest/search/queue/transfer.ts";
import { work } from "../../../../backtest/search/queue/worker.ts";
import { type Trial, trialDigest } from "../../../../backtest/search/trial.ts";
import { bundled, type HashedColumns, hashedColumns } from "../../../../backtest/search/trial-files.ts";
import { resultText } from "../../../../backtest/search/trial-result.ts";
import type { PairSymbol } from "../../../../src/domain/asset.ts";
import { createColumn } from "../../../../src/market/column.ts";
import { temporaryFolder } from "../../../journal/place.ts";
import { trialOf } from "../stage.ts";

const CODE: CodeIdentity = { version: "1.0.0", sources: "a".repeat(64), runtime: "v1" };
const OTHER: CodeIdentity = { ...CODE, sources: "b".repeat(64) };
const ADDRESS = { text: "redis://queue" } as QueueAddress;
const SETTINGS = { beatMs: 100, beatsLostMax: 3, lockMs: 1_000 };
const DAY_MS = 86_400_000;

const presence = (role: Presence["role"], change: Partial<Presence> = {}): Presence => ({
  ...{ role, name: `${role}:1`, code: CODE, strategyFiles: false },
  ...change,
});

/** A queue in memory that can be silent, and timers that ring when they are told to. */
function stage() {
  const texts = new Map<string, string>();
  const bytes = new Map<string, Uint8Array>();
  const ttls = new Map<string, number>();
  const waiting: { readonly ms: number; readonly run: () => void }[] = [];
  let isSilent = false;
  const answer = async <T>(value: () => T): Promise<T> => {
    if (isSilent) throw new Error("no answer");
    return value();
  };
  const link: QueueLink = {
    address: ADDRESS,
    get: (key) => answer(() => texts.get(key)),
    getAll: (keys) => answer(() => keys.map((key) => texts.get(key))),
    set: (key, value, ttlMs) =>
      answer(() => {
        if (typeof value === "string") texts.set(key, value);
        else bytes.set(key, Uint8Array.from(value));
        ttls.set(key, ttlMs);
      }),
    remove: (key) => answer(() => void texts.delete(key)),
    keysBelow: (prefix) => answer(() => [...texts.keys()].filter((key) => key.startsWith(prefix))),
    getBytes: (key) => answer(() => bytes.get(key)),
    prolong: () => answer(() => false),
    close: async () => undefined,
  };
  return {
    link,
    texts,
    ttls,
    timers: {
      after(ms: number, run: () => void) {
        const one = { ms, run };
        waiting.push(one);
        return () => void waiting.splice(0, waiting.length, ...waiting.filter((other) => other !== one));
      },
    },
    timersSet: () => waiting.map(({ ms }) => ms),
    silent(is: boolean) {
      isSilent = is;
    },
    /** What is due, and all that follows from it. */
    async beat() {
      for (const { run } of waiting.splice(0)) run();
      await settled();
    },
    there: (role: Presence["role"]) => [...texts.keys()].filter((key) => key.includes(`presence:${role}:`)),
    present: (one: Presence, id = "x") => texts.set(`pegbot:presence:${one.role}:${id}`, JSON.stringify(one)),
  };
}

/** Every promise of one beat; nothing here waits for a clock. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

/** A quote a second at this price. */
function recorded(price: number): HashedColumns {
  const columns = Array.from({ length: 5 }, (_, c) => createColumn(3, "shared").fill(c === 0 ? 0 : price));
  columns[0]?.set([1_000, 2_000, 3_000]);
  return hashedColumns(memorySource({ kind: "quotes", symbol: "VCHF/CHF" as PairSymbol }, columns));
}

const refusedOf = (trial: Trial) => ({ kind: "refused", trial: trialDigest(trial), reason: "because" }) as const;

describe("a sweep at a queue", () => {
  async function runnerAt(queue = stage(), own: Partial<Presence> = {}) {
    const jobs = new Map<string, unknown>();
    const added: string[] = [];
    const said: string[] = [];
    let ended: (id: string, end: JobEnd) => void = () => undefined;
    let isClosed = false;
    const runner = await openQueueRunner(
      ADDRESS,
      "me",
      {
        ...{ link: queue.link, presence: presence("sweep", own), timers: queue.timers, settings: SETTINGS },
        tell: (line) => void said.push(line),
      },
      async (_, name, onEnd) => {
        ended = onEnd;
        expect(name).toBe(jobsName(own.code ?? CODE, own.strategyFiles === true));
        return {
          add: async (id, data) => {
            added.push(id);
            jobs.set(id, data);
          },
          has: async (id) => jobs.has(id),
          close: async () => {
            isClosed = true;
          },
        };
      },
    );
    const put = (trial: Trial) => queue.texts.set(resultKey(CODE, trialDigest(trial)), resultText(refusedOf(trial)));
    return {
      ...queue,
      runner,
      jobs,
      added,
      said,
      put,
      ended: (...end: Parameters<typeof ended>) => ended(...end),
      isClosed: () => isClosed,
    };
  }
  const [one, two] = [trialOf(), trialOf({ seed: 2 })];

  it("is there for three beats with every word, and gone when it leaves", async () => {
    const { there, ttls, beat, texts, runner, timersSet, isClosed } = await runnerAt();
    expect([there("sweep"), ...ttls.values(), timersSet()]).toEqual([["pegbot:presence:sweep:me"], 300, [100]]);
    texts.clear();
    await beat();
    expect([there("sweep"), timersSet()]).toEqual([["pegbot:presence:sweep:me"], [100]]);
    const waiting = runner.run(one);
    await runner.close();
    await expect(waiting).rejects.toThrow("the queue has been left");
    await expect(runner.run(one)).rejects.toThrow("the queue has been left");
    expect([there("sweep"), timersSet(), isClosed()]).toEqual([[], [], true]);
  });

  it("takes a result that is there, asks for one that is not, and hears how that ended", async () => {
    const { runner, put, added, jobs, ended, beat } = await runnerAt();
    put(one);
    expect(await runner.run(one)).toEqual(refusedOf(one));
    expect(added).toEqual([]);
    const digest = trialDigest(two);
    const waiting = runner.run(two);
    await settled();
    expect([added, jobs.get(digest)]).toEqual([[digest], two]);
    ended("of nobody", { kind: "failed", reason: "no" });
    put(two);
    ended(digest, { kind: "done" });
    expect(await waiting).toEqual(refusedOf(two));
    const three = trialOf({ seed: 3 });
    const failing = runner.run(three);
    await settled();
    ended(trialDigest(three), { kind: "failed", reason: "it cannot be run" });
    await expect(failing).rejects.toThrow("it cannot be run");
    // What is over is not asked for again.
    jobs.clear();
    await beat();
    expect(added).toEqual([two, three].map(trialDigest));
  });

  it("asks again for what the queue lost, takes what it was not told of, and leaves alone what is under way", async () => {
    const { runner, beat, jobs, added, put } = await runnerAt();
    const [first, second] = [runner.run(one), runner.run(two)];
    await settled();
    jobs.delete(trialDigest(one));
    await beat();
    expect(added).toEqual([one, two, one].map(trialDigest));
    put(one);
    put(two);
    jobs.clear();
    await beat();
    expect([await first, await second, added.length]).toEqual([refusedOf(one), refusedOf(two), 3]);
  });

  it("gives up after so many beats without an answer, one after the other", async () => {
    const { runner, beat, silent, timersSet } = await runnerAt();
    let failed: unknown;
    runner.run(one).catch((error: Error) => {
      failed = error.message;
    });
    silent(true);
    await beat();
    await beat();
    silent(false);
    await beat();
    silent(true);
    await beat();
    await beat();
    expect([failed, timersSet()]).toEqual([undefined, [100]]);
    await beat();
    expect([failed, timersSet()]).toEqual(["the queue at redis://queue does not answer any more: no answer", []]);
    await expect(runner.run(two)).rejects.toThrow("does not answer any more");
  });

  it("says who is missing or refused, once for each time that it changes", async () => {
    const { said, beat, present, texts } = await runnerAt();
    await beat();
    await beat();
    present(presence("worker", { name: "old:1", code: OTHER }), "old");
    present(presence("worker"), "own");
    await beat();
    await beat();
    texts.delete("pegbot:presence:worker:old");
    await beat();
    present(presence("worker", { name: "old:1", code: OTHER }), "old");
    texts.delete("pegbot:presence:worker:own");
    await beat();
    expect(said).toEqual([
      "no worker is at the queue: pegbot worker --queue starts one",
      "of another version, and refused: old:1",
      expect.stringMatching(/^every worker at the queue is of another version: old:1 /),
    ]);
  });

  it("does not begin beside workers that cannot run it, and leaves its word for them", async () => {
    const queue = stage();
    queue.present(presence("worker"));
    await expect(runnerAt(queue, { strategyFiles: true })).rejects.toThrow(
      "no worker at the queue runs strategy files",
    );
    expect(queue.there("sweep").length).toBe(1);
    queue.present(presence("worker", { strategyFiles: true }), "y");
    await expect(runnerAt(queue, { strategyFiles: true })).resolves.toBeDefined();
  });
});

describe("a worker at a queue", () => {
  async function workerAt(queue = stage(), change: Partial<Presence> = {}, run?: Pool["run"], folder = "nowhere") {
    const learned: Parameters<Pool["learn"]>[0][] = [];
    const stop = new AbortController();
    const taken: { readonly name: string; readonly work: JobWork }[] = [];
    const told: unknown[] = [];
    let closed = 0;
    let reason: unknown = "works";
    const runs = run ?? (async (trial: Trial) => refusedOf(trial));
    const pool = { inFlightMax: 2, run: runs, learn: (what: (typeof learned)[number]) => void learned.push(what) };
    const ended = work(
      {
        ...{ address: ADDRESS, link: queue.link, presence: presence("worker", change), id: "me", timers: queue.timers },
        ...{ pool: pool as unknown as Pool, signal: stop.signal, folder, used: () => undefined },
        tell: (line) => void told.push(line),
        done: (runs) => void told.push(runs),
        settings: SETTINGS,
      },
      async (_, name, work) => {
        taken.push({ name, work });
        return { close: async () => void closed++ };
      },
    ).then((why) => {
      reason = why;
    });
    await settled();
    const handle = (trial: Trial): Promise<void> | undefined => taken.at(-1)?.work.handle(trialDigest(trial), trial);
    return { ...queue, ended, taken, told, stop, learned, handle, reason: () => reason, closed: () => closed };
  }

  it("takes trials of its code, with strategy files only where it may, and leaves each result for a day", async () => {
    const { taken, told, texts, ttls, there, stop, ended, reason, closed } = await workerAt();
    expect([taken.map(({ name }) => name), told]).toEqual([[jobsName(CODE, false)], ["ready, 2 at a time"]]);
    expect(taken[0]?.work).toMatchObject({ concurrency: 2, lockMs: 1_000 });
    const handle = taken[0]?.work.handle as JobWork["handle"];
    const trials = [trialOf(), trialOf({ seed: 2 })];
    for (const trial of trials) await handle(trialDigest(trial), trial);
    const keys = trials.map((trial) => resultKey(CODE, trialDigest(trial)));
    expect(keys.map((key) => [texts.get(key), ttls.get(key)])).toEqual(
      trials.map((trial) => [resultText(refusedOf(trial)), DAY_MS]),
    );
    expect(told.slice(1)).toEqual([1, 2]);
    await expect(handle("another", trialOf())).rejects.toThrow(new JobFailed("a trial arrived as another one"));
    const file = trialOf({ strategy: { kind: "file", digest: "f".repeat(64) } });
    await expect(handle(trialDigest(file), file)).rejects.toThrow("start it with --allow-strategy-files");
    expect(there("worker")).toEqual(["pegbot:presence:worker:me"]);
    stop.abort();
    await ended;
    expect([reason(), closed(), there("worker")]).toEqual([undefined, 1, []]);
    const willing = await workerAt(stage(), { strategyFiles: true });
    expect(willing.taken.map(({ name }) => name)).toEqual([jobsName(CODE, false), jobsName(CODE, true)]);
  });

  it("fails a trial that its pool cannot run for good, and asks again for what is missing at the queue", async () => {
    const failing = await workerAt(stage(), {}, () => Promise.reject(new Error("params has no x")));
    const handle = failing.taken[0]?.work.handle as JobWork["handle"];
    await expect(handle(trialDigest(trialOf()), trialOf())).rejects.toThrow(new JobFailed("params has no x"));
    const columns = trialOf({ data: [{ digest: "0".repeat(64), name: "x", role: "venue", halfSpreadBps: 0 }] });
    await expect(handle(trialDigest(columns), columns)).rejects.toBeInstanceOf(JobFailed);
    failing.silent(true);
    await expect(handle(trialDigest(columns), columns)).rejects.not.toBeInstanceOf(JobFailed);
  });

  it("uses no data on its disk that are damaged, or others under their name, and fetches them anew", async () => {
    const [queue, folder] = [stage(), temporaryFolder()];
    const [wanted, others] = [recorded(1), recorded(2)];
    for (const columns of [wanted, others]) await sendColumns(queue.link, columns);
    const trialWith = ({ digest }: HashedColumns): Trial =>
      trialOf({ data: [{ digest, name: "v.csv", role: "venue", halfSpreadBps: 0 }] });
    const pathOf = ({ digest }: HashedColumns): string => join(folder, "columns", `queue-${digest}.columns`);
    const brought = async (columns: HashedColumns): Promise<readonly unknown[]> => {
      const worker = await workerAt(queue, {}, undefined, folder);
      await worker.handle(trialWith(columns));
      const isFetched = worker.told.some((line) => String(line).startsWith("fetched"));
      return [worker.learned.flatMap((one) => one.columns.map(({ digest }) => digest)), isFetched];
    };
    const [fetched, kept] = [true, false].map((isFetched) => [[wanted.digest], isFetched]);
    await brought(others);
    expect([await brought(wanted), await brought(wanted)]).toEqual([fetched, kept]);
    writeFileSync(pathOf(wanted), "no columns");
    expect([await brought(wanted), await brought(wanted)]).toEqual([fetched, kept]);
    copyFileSync(pathOf(others), pathOf(wanted));
    expect([await brought(wanted), await brought(wanted)]).toEqual([fetched, kept]);
  });

  it("runs no strategy file on its disk that is not what was sent", async () => {
    const [queue, folder] = [stage(), temporaryFolder()];
    const bundle = bundled("mine.ts", [{ name: "mine.ts", text: "export default 1;\n" }]);
    await sendStrategy(queue.link, bundle);
    const trial = trialOf({ strategy: { kind: "file", digest: bundle.digest } });
    const path = join(folder, "strategies", bundle.digest, "mine.ts");
    const brought = async (): Promise<string> => {
      const worker = await workerAt(queue, { strategyFiles: true }, undefined, folder);
      await worker.handle(trial);
      expect(worker.learned).toMatchObject([{ strategies: [{ digest: bundle.digest, path }] }]);
      return readFileSync(path, "utf8");
    };
    expect(await brought()).toBe("export default 1;\n");
    writeFileSync(path, "export default 2;\n");
    // One that was left by a worker that died over it.
    mkdirSync(join(folder, "strategies", `${bundle.digest}.${process.pid}.new`));
    writeFileSync(join(folder, "strategies", `${bundle.digest}.${process.pid}.new`, "mine.ts"), "half");
    expect(await brought()).toBe("export default 1;\n");
  });

  it("ends by itself for a sweep of another code, and after so many beats without an answer, one after the other", async () => {
    const queue = stage();
    queue.present(presence("sweep", { code: OTHER }));
    const early = await workerAt(queue);
    expect([early.reason(), early.taken]).toEqual([expect.stringMatching(/^the sweep at the queue is of another/), []]);
    const beside = await workerAt();
    beside.present(presence("sweep"));
    await beside.beat();
    expect(beside.reason()).toBe("works");
    beside.texts.clear();
    beside.present(presence("sweep", { code: OTHER }));
    await beside.beat();
    expect([beside.reason(), beside.closed()]).toEqual([expect.stringMatching(/^the sweep at the queue is of/), 1]);

    const { beat, silent, reason, timersSet, there, texts } = await workerAt();
    texts.clear();
    await beat();
    expect(there("worker").length).toBe(1);
    for (const is of [true, true, false, true, true]) {
      silent(is);
      await beat();
    }
    expect([reason(), timersSet()]).toEqual(["works", [100]]);
    await beat();
    expect([reason(), timersSet()]).toEqual(["the queue at redis://queue does not answer any more: no answer", []]);
  });

  it("that is told to stop before it begins, or between two beats, sets no timer any more", async () => {
    const one = await workerAt();
    one.stop.abort();
    await one.ended;
    await one.beat();
    expect([one.reason(), one.timersSet()]).toEqual([undefined, []]);
  });
});

it("the same code on another kind of processor is another, since its floats may be", () => {
  const [arm, x64] = [codeIdentity(undefined, "arm64"), codeIdentity(undefined, "x64")];
  expect(jobsName(arm, false)).not.toBe(jobsName(x64, false));
  const refused = whyNoWorker(presence("sweep", { code: arm }), [presence("worker", { code: x64 })]);
  expect(refused).toMatch(/, v[\d.]+-x64\); this is .*, v[\d.]+-arm64$/);
  expect(codeIdentity().runtime).toBe(`${process.version}-${process.arch}`);
});

it("who can work for whom goes by the code, and by strategy files where a sweep has one", () => {
  const [sweep, files] = [presence("sweep"), presence("sweep", { strategyFiles: true })];
  const [own, old] = [presence("worker"), presence("worker", { code: OTHER, strategyFiles: true })];
  const able = presence("worker", { strategyFiles: true });
  expect([whyNoWorker(sweep, []), whyNoWorker(sweep, [old, own]), whyNoWorker(files, [own, able])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  // One of another version cannot, whatever it allows.
  expect(whyNoWorker(files, [own, old])).toMatch(
    /^no worker at the queue runs strategy files: .*\(worker:1 were not\)$/,
  );
  expect(whyNoWorker(sweep, [old])).toContain("is of another version");
  expect([whyNoSweep(own, []), whyNoSweep(own, [presence("sweep", { code: OTHER }), sweep])]).toEqual([
    undefined,
    undefined,
  ]);
  expect(whyNoSweep(old, [sweep])).toContain("of another version: sweep:1");
  expect(new Set([jobsName(CODE, false), jobsName(CODE, true), jobsName(OTHER, false)]).size).toBe(3);
});
