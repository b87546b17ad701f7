import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { memorySource } from "../../../backtest/data/source.ts";
import type { CodeIdentity } from "../../../backtest/search/identity.ts";
import { openPool } from "../../../backtest/search/pool.ts";
import { openLink, parseQueueAddress, type QueueAddress } from "../../../backtest/search/queue/connection.ts";
import { queueRunner, queueWorker } from "../../../backtest/search/queue/queue.ts";
import { trialDigest } from "../../../backtest/search/trial.ts";
import { hashedColumns, strategyDigest, type TrialFiles } from "../../../backtest/search/trial-files.ts";
import { resultText, runTrial } from "../../../backtest/search/trial-result.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { createColumn } from "../../../src/market/column.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { needs } from "../../support/needs.ts";
import { startRedis } from "../../support/redis.ts";
import { NO_FILES, START, trialOf } from "./stage.ts";

const SECRET = "hush-hush";
const CODE: CodeIdentity = { version: "1.0.0", sources: "a".repeat(64), runtime: "v1" };
const OTHER: CodeIdentity = { ...CODE, sources: "b".repeat(64) };

it("reads host, port, database and user, and its text has no password", () => {
  expect(parseQueueAddress("rediss://me@queue.example:7000/3", SECRET)).toEqual({
    ok: true,
    value: {
      options: { host: "queue.example", port: 7_000, db: 3, tls: {}, username: "me", password: SECRET },
      text: "rediss://queue.example:7000/3",
    },
  });
  const here = unwrap(parseQueueAddress("redis://127.0.0.1"));
  expect(here.options).toEqual({ host: "127.0.0.1", port: 6_379, db: 0 });
  expect(unwrap(parseQueueAddress("redis://[::1]:1")).options.host).toBe("::1");
});

it.each([
  ...["", "x", "http://:hush-hush@x", "redis://", "redis://h/x", "redis://h?p=hush-hush", "redis://%E0@h"],
  // One with a password in it, which everybody can list, whatever the environment has.
  ...["rediss://:hush-hush@127.0.0.1", "REDIS://me:hush-hush@h"],
  // Beyond this machine without TLS or a password; a name that only looks like loopback is somebody else's.
  ...["redis://10.0.0.5", "rediss://10.0.0.5", "redis://localhost.example"],
])("refuses %j as the address of a queue, without repeating a password", (text) => {
  const parsed = parseQueueAddress(text);
  expect(parsed.ok).toBe(false);
  expect(JSON.stringify(parsed)).not.toContain(SECRET);
});

it("a queue beyond this machine is used with TLS and a password, or where its host is named", () => {
  expect(parseQueueAddress("rediss://10.0.0.5", SECRET).ok).toBe(true);
  expect(parseQueueAddress("redis://10.0.0.5", SECRET).ok).toBe(false);
  expect(parseQueueAddress("redis://10.0.0.5", undefined, "10.0.0.5").ok).toBe(true);
  expect(parseQueueAddress("redis://10.0.0.5", undefined, "10.0.0.6").ok).toBe(false);
});

async function stage() {
  const { port, client } = await startRedis();
  return { address: unwrap(parseQueueAddress(`redis://127.0.0.1:${port}`)), client };
}

async function workerAt(address: QueueAddress, code = CODE, strategy?: { digest: string; path: string }) {
  const said: string[] = [];
  const pool = openPool(1, { ...NO_FILES, strategies: strategy === undefined ? [] : [strategy] });
  const link = await openLink(address, (line) => void said.push(line));
  const working = await queueWorker(link, {
    ...{ code, pool, strategy: strategy?.digest, lockMs: 1_000 },
    done: (runs) => void said.push(`${runs} runs`),
  });
  onTestFinished(async () => {
    await working.close();
    await pool.close();
  });
  return said;
}

async function runnerAt(address: QueueAddress, ground: TrialFiles = NO_FILES, code = CODE) {
  const said: string[] = [];
  const runner = await queueRunner(await openLink(address, (line) => void said.push(line)), ground, code);
  onTestFinished(() => runner.close());
  return { runner, said };
}

/** A coin that swings around par, a price a second. */
function recorded(rows: number) {
  const columns = Array.from({ length: 5 }, () => createColumn(rows, "shared"));
  for (let row = 0; row < rows; row++) {
    const mid = 1 + 0.002 * Math.sin(row / 60);
    const values = [START + row * 1_000, mid * 0.9999, mid * 1.0001, 50_000, 50_000];
    for (const [c, value] of values.entries()) (columns[c] as Float64Array)[row] = value;
  }
  return hashedColumns(memorySource({ kind: "quotes", symbol: "VCHF/CHF" as PairSymbol }, columns));
}

it("columns travel once for a worker, and its results are those of a local run; damaged ones fail the sweep", async () => {
  needs("redis-server");
  const { address, client } = await stage();
  const columns = recorded(1_000);
  const trials = [1, 2].map((edgeBps) =>
    trialOf({
      params: { edgeBps },
      data: [{ digest: columns.digest, name: "v.csv", role: "venue", halfSpreadBps: 0 }],
    }),
  );
  const ground = { ...NO_FILES, columns: [columns] };
  const expected = await Promise.all(trials.map(async (trial) => resultText(await runTrial(trial, ground))));
  const { runner } = await runnerAt(address, ground);
  const said = await workerAt(address);
  expect((await Promise.all(trials.map((trial) => runner.run(trial)))).map(resultText)).toEqual(expected);
  expect(said.filter((line) => line.startsWith("fetched"))).toHaveLength(1);
  const others = recorded(1_001);
  const second = await runnerAt(address, { ...NO_FILES, columns: [others] });
  const redis = client();
  const key = `pegbot:columns:${others.digest}`;
  const bytes = (await redis.hgetBuffer(key, "1")) as Buffer;
  bytes[100] = (bytes[100] as number) ^ 1;
  await redis.hset(key, "1", bytes);
  const damaged = trialOf({ data: [{ digest: others.digest, name: "v.csv", role: "venue", halfSpreadBps: 0 }] });
  await expect(second.runner.run(damaged)).rejects.toThrow("must arrive as they were sent");
  await redis.del(key);
  await expect(second.runner.run(damaged)).rejects.toThrow("are not at the queue any more");
});

it("a strategy file runs only at a worker that was started with the same file", async () => {
  needs("redis-server");
  const { address } = await stage();
  const path = join(temporaryFolder(), "mine.ts");
  const contract = pathToFileURL(join(import.meta.dirname, "../../../src/strategy/strategy.ts")).href;
  writeFileSync(
    path,
    `import { defineStrategy } from ${JSON.stringify(contract)};\nexport default defineStrategy({ name: "mine", decide: () => undefined });`,
  );
  const strategy = { digest: unwrap(strategyDigest(path)), path };
  const ground = { ...NO_FILES, strategies: [strategy] };
  const trial = trialOf({ strategy: { kind: "file", digest: strategy.digest }, params: {} });
  const without = await workerAt(address);
  const { runner, said } = await runnerAt(address, ground);
  expect(said).toEqual([expect.stringContaining(`no worker for this sweep is at the queue`)]);
  const running = runner.run(trial);
  const having = await workerAt(address, CODE, strategy);
  expect(resultText(await running)).toBe(resultText(await runTrial(trial, ground)));
  expect([without, having]).toEqual([[], ["1 runs"]]);
});

it("a worker of other code takes no run of a sweep, which says that it waits", async () => {
  needs("redis-server");
  const { address } = await stage();
  const other = await workerAt(address, OTHER);
  const { runner, said } = await runnerAt(address);
  expect(said).toEqual([expect.stringContaining("sources aaaaaaaaaaaa")]);
  const running = runner.run(trialOf());
  const own = await workerAt(address);
  expect(await running).toMatchObject({ kind: "ran" });
  expect([other, own]).toEqual([[], ["1 runs"]]);
});

it("a trial that cannot be run fails the sweep with its reason each time, and a queue that forgot everything is used again", async () => {
  needs("redis-server");
  const { address, client } = await stage();
  await workerAt(address);
  const { runner } = await runnerAt(address);
  for (let sweep = 0; sweep < 2; sweep++)
    await expect(runner.run(trialOf({ params: { edgeBips: 1 } }))).rejects.toThrow("params has no edgeBips");
  await client().flushall();
  expect(await runner.run(trialOf({ seed: 3 }))).toMatchObject({ kind: "ran" });
});

it("what another one wrote in the place of a result is not taken for one", async () => {
  needs("redis-server");
  const { address } = await stage();
  const trial = trialOf();
  const link = await openLink(address, () => undefined);
  const { Worker } = link.bullmq;
  const { runner } = await runnerAt(address);
  const [name = ""] = (await link.redis.keys("pegbot:trials-*:meta")).map((key) => key.split(":")[1]);
  const liar = new Worker(name, async () => ({ kind: "ran", trial: "0".repeat(64) }), link.settings);
  onTestFinished(() => link.close({ close: () => liar.close(true) }));
  await expect(runner.run(trial)).rejects.toThrow(`no result for trial ${trialDigest(trial)}`);
});
