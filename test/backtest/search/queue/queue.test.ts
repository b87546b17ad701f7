import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { memorySource } from "../../../../backtest/data/source.ts";
import type { CodeIdentity } from "../../../../backtest/search/identity.ts";
import { openPool } from "../../../../backtest/search/pool.ts";
import { parseQueueAddress, type QueueAddress } from "../../../../backtest/search/queue/address.ts";
import {
  type JobEnd,
  JobFailed,
  openJobs,
  openLink,
  type QueueLink,
  takeJobs,
} from "../../../../backtest/search/queue/connection.ts";
import { present, resultKey } from "../../../../backtest/search/queue/presence.ts";
import { openQueueRunner, type QueueRunner } from "../../../../backtest/search/queue/runner.ts";
import { fetchColumns, fetchStrategy, sendColumns, sendStrategy } from "../../../../backtest/search/queue/transfer.ts";
import { work } from "../../../../backtest/search/queue/worker.ts";
import { bundleOf, hashedColumns } from "../../../../backtest/search/trial-files.ts";
import { type RanTrial, resultText, runTrial } from "../../../../backtest/search/trial-result.ts";
import { systemTimers } from "../../../../src/app/system/system-timers.ts";
import type { PairSymbol } from "../../../../src/domain/asset.ts";
import { unwrap } from "../../../../src/domain/result.ts";
import { createColumn } from "../../../../src/market/column.ts";
import { temporaryFolder } from "../../../journal/place.ts";
import { needs } from "../../../support/needs.ts";
import { startRedis } from "../../../support/redis.ts";
import { untilItHolds } from "../../../support/until-it-holds.ts";
import { NO_FILES, START, trialOf } from "../stage.ts";

const CODE: CodeIdentity = { version: "1.0.0", sources: "a".repeat(64), runtime: "v1" };
const OTHER: CodeIdentity = { ...CODE, sources: "b".repeat(64) };
const BEAT = { beatMs: 400, beatsLostMax: 20 };

async function stage() {
  const { port, client, program } = await startRedis();
  const address = unwrap(
    parseQueueAddress(`redis://127.0.0.1:${port}`, { password: undefined, insecureHost: undefined }),
  );
  const link = await openLink(address);
  onTestFinished(() => link.close());
  return { address, link, client, program };
}

type Worker = {
  readonly said: string[];
  readonly used: string[];
  readonly ended: Promise<string | undefined>;
  stop(): Promise<void>;
};

function startWorker(
  address: QueueAddress,
  link: QueueLink,
  code: CodeIdentity,
  more: { folder?: string; files?: boolean } = {},
): Worker {
  const [said, used]: [string[], string[]] = [[], []];
  const stop = new AbortController();
  const pool = openPool(1, NO_FILES);
  const presence = { role: "worker", name: "here:1", code, strategyFiles: more.files === true } as const;
  const ended = work({
    ...{ address, link, presence, pool, timers: systemTimers, signal: stop.signal },
    id: crypto.randomUUID(),
    folder: more.folder ?? temporaryFolder(),
    used: (path) => void used.push(path),
    tell: (line) => void said.push(line),
    done: () => undefined,
    settings: { ...BEAT, lockMs: 1_000 },
  });
  const over = async (): Promise<void> => {
    stop.abort();
    await ended;
    await pool.close();
  };
  onTestFinished(over);
  return { said, used, ended, stop: over };
}

async function startRunner(
  address: QueueAddress,
  link: QueueLink,
  code: CodeIdentity,
  strategyFiles = false,
  settings = BEAT,
) {
  const said: string[] = [];
  const presence = { role: "sweep", name: "there:2", code, strategyFiles } as const;
  const runner: QueueRunner = await openQueueRunner(address, crypto.randomUUID(), {
    ...{ link, presence, timers: systemTimers, settings },
    tell: (line) => void said.push(line),
  });
  onTestFinished(() => runner.close());
  return { runner, said };
}

/** A coin that swings around par, a price a second. */
function recorded(rows = 140_000) {
  const columns = Array.from({ length: 5 }, () => createColumn(rows, "shared"));
  for (let row = 0; row < rows; row++) {
    const mid = 1 + 0.002 * Math.sin(row / 60);
    const values = [START + row * 1_000, mid * 0.9999, mid * 1.0001, 50_000, 50_000];
    for (const [c, value] of values.entries()) (columns[c] as Float64Array)[row] = value;
  }
  return hashedColumns(memorySource({ kind: "quotes", symbol: "VCHF/CHF" as PairSymbol }, columns));
}

it("a link has its names in a database of its own until they expire, and lets nobody in without user and password", async () => {
  needs("redis-server");
  const { port, client } = await startRedis({ password: "s3cret" });
  const open = (password: string | undefined, user = "") =>
    openLink(unwrap(parseQueueAddress(`redis://${user}127.0.0.1:${port}/3`, { password, insecureHost: undefined })));
  const link = await open("s3cret", "default@");
  onTestFinished(() => link.close());
  const names = Array.from({ length: 1_200 }, (_, i) => `pegbot:many:${i}`).sort();
  await Promise.all(names.map((name) => link.set(name, name, 60_000)));
  await link.set("pegbot:bytes", Uint8Array.of(0, 255, 128), 60_000);
  // More than one look brings.
  expect(await link.keysBelow("pegbot:many:")).toEqual(names);
  expect(await link.getAll(["pegbot:many:7", "pegbot:none"])).toEqual(["pegbot:many:7", undefined]);
  expect(await link.getAll([])).toEqual([]);
  expect([...((await link.getBytes("pegbot:bytes")) ?? [])]).toEqual([0, 255, 128]);
  expect([await link.prolong("pegbot:bytes", 600_000), await link.prolong("pegbot:none", 1)]).toEqual([true, false]);
  await link.remove("pegbot:many:7");
  expect([await link.get("pegbot:many:7"), await link.get("pegbot:many:8")]).toEqual([undefined, "pegbot:many:8"]);
  const redis = client();
  expect(await redis.dbsize()).toBe(0);
  await redis.select(3);
  expect([(await redis.pttl("pegbot:bytes")) > 60_000, (await redis.pttl("pegbot:many:8")) > 0]).toEqual([true, true]);
  // A connection that is lost is made again.
  expect(await redis.client("KILL", "TYPE", "NORMAL", "SKIPME", "YES")).toBe(1);
  expect(await link.get("pegbot:many:8")).toBe("pegbot:many:8");
  await expect(open(undefined)).rejects.toThrow(/ cannot be used: NOAUTH/);
  for (const [password, user] of [["wr0ng"], ["s3cret", "nobody@"]] as const)
    await expect(open(password, user)).rejects.toThrow(/ cannot be used: WRONGPASS/);
  await link.close();
  await expect(link.get("pegbot:many:8")).rejects.toThrow();
});

it("a job that would fail again is tried once, and what was not its fault is tried again", async () => {
  needs("redis-server");
  const { address } = await stage();
  const tried: string[] = [];
  const ends = new Map<string, JobEnd>();
  const jobs = await openJobs(address, "some-jobs", (id, end) => void ends.set(id, end));
  onTestFinished(() => jobs.close());
  const handle = async (id: string): Promise<void> => {
    tried.push(id);
    if (id === "bad") throw new JobFailed("params has no x");
    if (tried.filter((one) => one === id).length < 2) throw new Error("the disk was full");
  };
  const taking = await takeJobs(address, "some-jobs", { concurrency: 1, lockMs: 30_000, handle });
  onTestFinished(() => taking.close());
  for (const id of ["bad", "unlucky"]) await jobs.add(id, {});
  await untilItHolds(() => expect(ends.size).toBe(2));
  expect([ends.get("bad"), ends.get("unlucky")]).toEqual([
    { kind: "failed", reason: "params has no x" },
    { kind: "done" },
  ]);
  expect(tried.toSorted()).toEqual(["bad", "unlucky", "unlucky"]);
});

it("data travel once per worker, are hashed again, kept on its disk, and give what the local run gives", async () => {
  needs("redis-server");
  const { address, link, client } = await stage();
  const columns = recorded();
  await sendColumns(link, columns);
  const folder = temporaryFolder();
  const trials = [1, 2, 3].map((edgeBps) =>
    trialOf({
      params: { edgeBps },
      data: [{ digest: columns.digest, name: "v.csv", role: "venue", halfSpreadBps: 0 }],
    }),
  );
  const local = { ...NO_FILES, columns: [columns] };
  const expected = await Promise.all(trials.map(async (trial) => resultText(await runTrial(trial, local))));
  const { runner } = await startRunner(address, link, CODE);
  const first = startWorker(address, link, CODE, { folder });
  const results = await Promise.all(trials.map((trial) => runner.run(trial)));
  expect(results.map(resultText)).toEqual(expected);
  expect(first.said.filter((line) => line.startsWith("fetched"))).toEqual([
    `fetched 140000 rows of VCHF/CHF, ${columns.digest.slice(0, 12)}`,
  ]);
  await first.stop();
  // Another worker on that disk has no need of the queue for it.
  const redis = client();
  await redis.del(...(await redis.keys("pegbot:chunk:*")));
  const second = startWorker(address, link, CODE, { folder });
  const another = trialOf({ ...trials[0], seed: 9 });
  expect(resultText(await runner.run(another))).toBe(resultText(await runTrial(another, local)));
  expect(second.said.some((line) => line.startsWith("fetched"))).toBe(false);
  const name = `queue-${columns.digest}.columns`;
  expect(readdirSync(join(folder, "columns"))).toEqual([name]);
  // Whoever keeps that folder small is told what is in use.
  for (const worker of [first, second]) expect(worker.used).toEqual([join(folder, "columns", name)]);
});

it("what arrives damaged, as another, or with a way out of its folder is refused", async () => {
  needs("redis-server");
  const { link, client } = await stage();
  const redis = client();
  const columns = recorded(1_000);
  await sendColumns(link, columns);
  const [chunk = ""] = await redis.keys("pegbot:chunk:*");
  const whole = (await redis.getBuffer(chunk)) as Buffer;
  const damaged = Buffer.from(whole);
  damaged[100] = (damaged[100] as number) ^ 1;
  await redis.set(chunk, damaged);
  await expect(fetchColumns(link, columns.digest)).rejects.toThrow("arrived as others");
  await redis.set(chunk, whole.subarray(8));
  await expect(fetchColumns(link, columns.digest)).rejects.toThrow("is not at the queue any more");
  await redis.del(chunk);
  await expect(fetchColumns(link, columns.digest)).rejects.toThrow("is not at the queue any more");
  await redis.set(chunk, whole);
  const bill = JSON.parse((await redis.get(`pegbot:columns:${columns.digest}`)) ?? "");
  await redis.set(
    `pegbot:columns:${columns.digest}`,
    JSON.stringify({ ...bill, subject: { ...bill.subject, symbol: "VGBP/GBP" } }),
  );
  await expect(fetchColumns(link, columns.digest)).rejects.toThrow("arrived as others");
  await expect(fetchColumns(link, "../../etc")).rejects.toThrow("a digest must be 64 of 0-9 and a-f");
  await expect(fetchColumns(link, "f".repeat(64))).rejects.toThrow("not at the queue any more");

  const path = join(temporaryFolder(), "mine.ts");
  writeFileSync(path, "export default 1;");
  const bundle = unwrap(bundleOf(path));
  await sendStrategy(link, bundle);
  expect(await fetchStrategy(link, bundle.digest)).toEqual(bundle);
  await expect(fetchStrategy(link, "../../etc")).rejects.toThrow("a digest must be 64 of 0-9 and a-f");
  await expect(fetchStrategy(link, "f".repeat(64))).rejects.toThrow("not at the queue any more");
  const put = (value: object) => redis.set(`pegbot:strategy:${bundle.digest}`, JSON.stringify(value));
  await put({ main: "mine.ts", files: [{ name: "mine.ts", text: "export default 2;" }] });
  await expect(fetchStrategy(link, bundle.digest)).rejects.toThrow("arrived as another one");
  for (const name of [
    "../mine.ts",
    "/mine.ts",
    "a/../../b.ts",
    "a\\b.ts",
    "..",
    "a\n/../../b.ts",
    "a\u2028/../b.ts",
    "\x1b[2J.ts",
  ]) {
    await put({ main: name, files: [{ name, text: "" }] });
    await expect(fetchStrategy(link, bundle.digest), name).rejects.toThrow("Invalid");
  }
});

it("a strategy file runs only where a worker allows it, and the worker says what it runs", async () => {
  needs("redis-server");
  const { address, link } = await stage();
  const path = join(temporaryFolder(), "mine.ts");
  const contract = pathToFileURL(join(import.meta.dirname, "../../../../src/strategy/strategy.ts")).href;
  writeFileSync(
    path,
    `import { defineStrategy } from ${JSON.stringify(contract)};\nexport default defineStrategy({ name: "mine", decide: () => undefined });`,
  );
  const bundle = unwrap(bundleOf(path));
  await sendStrategy(link, bundle);
  const trial = trialOf({ strategy: { kind: "file", digest: bundle.digest }, params: {} });
  const careful = startWorker(address, link, CODE);
  await expect.poll(() => careful.said.length).toBeGreaterThan(0);
  await expect(startRunner(address, link, CODE, true)).rejects.toThrow(
    "no worker at the queue runs strategy files: start one with --allow-strategy-files",
  );
  const willing = startWorker(address, link, CODE, { files: true });
  await expect.poll(() => willing.said.length).toBeGreaterThan(0);
  const { runner } = await startRunner(address, link, CODE, true);
  const local = { ...NO_FILES, strategies: [{ digest: bundle.digest, path }] };
  expect(resultText(await runner.run(trial))).toBe(resultText(await runTrial(trial, local)));
  expect(willing.said.at(-1)).toBe(
    `runs the strategy file mine.ts of the queue, sha256 ${bundle.digest}, as this user`,
  );
  expect(careful.said).toHaveLength(1);
});

it("a worker and a sweep of different code refuse each other, both by name, and neither touches the other's runs", async () => {
  needs("redis-server");
  const { address, link } = await stage();
  const old = startWorker(address, link, OTHER);
  await expect.poll(() => old.said.length).toBeGreaterThan(0);
  await expect(startRunner(address, link, CODE)).rejects.toThrow(
    "every worker at the queue is of another version: here:1 (1.0.0, sources bbbbbbbbbbbb, v1); this is 1.0.0, sources aaaaaaaaaaaa, v1",
  );
  expect(await old.ended).toBe(
    "the sweep at the queue is of another version: there:2 (1.0.0, sources aaaaaaaaaaaa, v1); this worker is 1.0.0, sources bbbbbbbbbbbb, v1",
  );
  // Beside a worker of its own code the sweep runs, and the other one is told at its start.
  startWorker(address, link, CODE);
  const { runner } = await startRunner(address, link, CODE);
  expect(await startWorker(address, link, OTHER).ended).toContain("the sweep at the queue is of another version");
  expect(await runner.run(trialOf())).toMatchObject({ kind: "ran" });
});

it("a trial that cannot be run fails the sweep with the worker's reason, and a queue that forgot everything is used again", async () => {
  needs("redis-server");
  const { address, link, client } = await stage();
  startWorker(address, link, CODE);
  const { runner } = await startRunner(address, link, CODE);
  // The second time it is asked for anew, and not taken for one that is under way.
  for (let sweep = 0; sweep < 2; sweep++)
    await expect(runner.run(trialOf({ params: { edgeBips: 1 } }))).rejects.toThrow("params has no edgeBips");
  const waiting = runner.run(
    trialOf({ data: [{ digest: "0".repeat(64), name: "x", role: "venue", halfSpreadBps: 0 }] }),
  );
  await expect(waiting).rejects.toThrow("not at the queue any more");
  const redis = client();
  await redis.flushall();
  expect(await runner.run(trialOf({ seed: 3 }))).toMatchObject({ kind: "ran" });
});

it("what somebody else wrote in the place of a result or of a word who is there is not taken for one", async () => {
  needs("redis-server");
  const { address, link } = await stage();
  const nobody = { role: "worker", name: "x", code: null, strategyFiles: true };
  for (const [place, text] of [null, nobody, { ...nobody, code: { ...CODE, version: "\x1b[2J" } }].entries())
    await link.set(`pegbot:presence:worker:${place}`, JSON.stringify(text), 60_000);
  await link.set("pegbot:presence:worker:y", "no JSON", 60_000);
  const named = { ...nobody, name: "\x1b[2Jthere", code: CODE };
  await link.set("pegbot:presence:worker:z", JSON.stringify(named), 60_000);
  expect(await present(link, "worker")).toEqual([{ ...named, name: "\\x1b[2Jthere" }]);

  const { runner } = await startRunner(address, link, CODE);
  const trial = trialOf();
  const real = (await runTrial(trial, NO_FILES)) as RanTrial;
  const place = resultKey(CODE, real.trial);
  const others: readonly object[] = [
    { ...real, figures: undefined },
    { ...real, figures: { netProfit: "<b>" } },
    { ...real, returns: { ...real.returns, equity: "none" } },
    { ...real, trial: "0".repeat(64) },
    { ...real, more: 1 },
    { kind: "refused", trial: real.trial },
  ];
  for (const other of others) {
    await link.set(place, JSON.stringify(other), 60_000);
    await expect(runner.run(trial), JSON.stringify(other)).rejects.toThrow("but something else in its place");
  }
  await link.set(place, resultText(real), 60_000);
  expect(resultText(await runner.run(trial))).toBe(resultText(real));
});

it("a queue that is gone ends a sweep with a word that names it, and is not asked again", async () => {
  needs("redis-server");
  const { address, link, program } = await stage();
  const { runner } = await startRunner(address, link, CODE, false, { ...BEAT, beatsLostMax: 2 });
  const waiting = runner.run(trialOf());
  program.kill("SIGKILL");
  await expect(waiting).rejects.toThrow(
    `the queue at ${address.text} does not answer any more: no connection to it can be made`,
  );
  await expect(runner.run(trialOf({ seed: 2 }))).rejects.toThrow("does not answer any more");
});
