import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { memorySource } from "../../../backtest/data/source.ts";
import { openPool, type PoolOptions, runTrials } from "../../../backtest/search/pool.ts";
import { type Trial, trialDigest } from "../../../backtest/search/trial.ts";
import { hashedColumns, strategyDigest, type TrialFiles } from "../../../backtest/search/trial-files.ts";
import { repeated, resultText, runTrial } from "../../../backtest/search/trial-result.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import { createColumn } from "../../../src/market/column.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { HOUR, MINUTE, NO_FILES, SELDOM, START, trialOf } from "./stage.ts";

function openedPool(size: number, parts: TrialFiles = NO_FILES, options: PoolOptions = {}) {
  const pool = openPool(size, parts, options);
  onTestFinished(() => pool.close());
  return pool;
}

/** A coin that swings around par by 20 basis points, a price a second, in shared memory. */
function recorded() {
  const rows = 1_200;
  const columns = Array.from({ length: 5 }, () => createColumn(rows, "shared"));
  for (let row = 0; row < rows; row++) {
    const mid = 1 + 0.002 * Math.sin(row / 60);
    const values = [START + row * 1_000, mid * 0.9999, mid * 1.0001, 50_000, 50_000];
    for (const [c, value] of values.entries()) (columns[c] as Float64Array)[row] = value;
  }
  const source = memorySource({ kind: "quotes", symbol: "VCHF/CHF" as PairSymbol }, columns);
  return { source, shared: hashedColumns(source) };
}

it("gives a trial its figures, its returns and its trace, and the same text again", async () => {
  const trial = trialOf({ ...SELDOM, to: millis(START + 3 * HOUR) });
  const result = await runTrial(trial, NO_FILES);
  if (result.kind !== "ran") throw new Error(result.reason);
  const { record } = unwrap(await repeated(trial, result, NO_FILES));
  const other = { ...result, traceHash: "0".repeat(64) };
  expect(await repeated(trial, other, NO_FILES)).toMatchObject({
    ok: false,
    error: expect.stringContaining("pegbot backtest check"),
  });
  expect(result.trial).toBe(trialDigest(trial));
  expect(result.fills).toBe(record.fills.length);
  expect(result.orders).toBe(record.fills.length + record.unfilled.length);
  expect(result.fills).toBeGreaterThan(10);
  expect(result.figures.netProfit).toBeTypeOf("number");
  expect(result.figures.sharpe).toBeNull();
  expect(result.returns).toMatchObject({ periodMs: HOUR, perYear: 8_766 });
  expect(result.returns.equity).toHaveLength(3);
  expect(result.returns.holding).toHaveLength(3);
  expect(resultText(await runTrial(structuredClone(trial), NO_FILES))).toBe(resultText(result));
  expect(JSON.parse(resultText(result))).toEqual(result);
});

it("names a trial by all that its result depends on, in whatever order it is written", () => {
  const trial = trialOf();
  const turned = Object.fromEntries(Object.entries(trial).reverse()) as unknown as Trial;
  expect(trialDigest(turned)).toBe(trialDigest(trial));
  const others: Partial<Trial>[] = [
    { seed: 2 },
    { params: { edgeBps: 2 } },
    { to: millis(START + 11 * MINUTE) },
    { terms: { ...trial.terms, feeBps: 1 } },
    { limits: { ...trial.limits, orderValueMax: "40000" } },
    { market: { ...trial.market, depthSigma: 0.4 } },
    { funds: { CHF: "100000" } },
  ];
  expect(new Set([trial, ...others.map(trialOf)].map(trialDigest)).size).toBe(others.length + 1);
});

it("gives the same results with one process, with two that have a copy of the columns, with one where only one copy fits into memory, and without any", async () => {
  const { shared } = recorded();
  const data = [{ digest: shared.digest, name: "VCHF-CHF.csv", role: "venue", halfSpreadBps: 0 }] as const;
  const trials = [0, 6].flatMap((edgeBps) => [
    trialOf({ params: { edgeBps } }),
    trialOf({ params: { edgeBps }, data }),
  ]);
  const parts = { ...NO_FILES, columns: [shared] };
  const run = async (size: number, options: PoolOptions = {}): Promise<string[]> => {
    const found: string[] = [];
    await runTrials(trials, openedPool(size, parts, options), (result, index) => {
      found[index] = resultText(result);
    });
    return found;
  };
  const ground = parts;
  const alone: string[] = [];
  for (const trial of trials) alone.push(resultText(await runTrial(trial, ground)));
  expect(new Set(alone).size).toBe(trials.length);
  expect(await run(1)).toEqual(alone);
  expect(await run(2)).toEqual(alone);
  expect(await run(2, { copiesBytesMax: 0 })).toEqual(alone);
});

it("takes columns as they lie, and names them by their content", () => {
  const { source, shared } = recorded();
  const [first] = [...source.chunks()];
  expect(shared.columns[1]?.buffer).toBe((first as { bid: Float64Array }).bid.buffer);
  const copy = hashedColumns(
    memorySource(
      shared.subject,
      shared.columns.map((column) => Float64Array.from(column)),
    ),
  );
  expect(copy.digest).toBe(shared.digest);
  (copy.columns[1] as Float64Array)[7] = 2;
  expect(hashedColumns(memorySource(copy.subject, copy.columns)).digest).not.toBe(shared.digest);
});

/** A strategy file with this before its decision and in it. */
function strategyFile(before: string, decide: string) {
  const path = join(temporaryFolder(), "written.ts");
  const contract = pathToFileURL(join(import.meta.dirname, "../../../src/strategy/strategy.ts")).href;
  writeFileSync(
    path,
    `import { defineStrategy } from ${JSON.stringify(contract)};
     ${before}
     export default defineStrategy({ name: "written", decide: ({ quote }) => { ${decide} } });`,
  );
  const digest = unwrap(strategyDigest(path));
  const trial = trialOf({ strategy: { kind: "file", digest }, params: {} });
  return { path, trial, parts: { ...NO_FILES, strategies: [{ digest, path }] } };
}

it("loads a strategy file anew for each trial, so that what one leaves in its module is not seen by the next", async () => {
  const { path, trial, parts } = strategyFile(
    "let calls = 0;",
    `calls++;
     return quote.symbol === "VCHF/CHF" && calls % 40 === 0 && { symbol: quote.symbol, side: "buy", limit: quote.ask, size: calls, reason: "every fortieth" };`,
  );
  const pool = openedPool(1, parts);
  const first = await pool.run(trial);
  expect(resultText(await pool.run(trial))).toBe(resultText(first));
  expect(first).toMatchObject({ kind: "ran" });
  appendFileSync(path, "// another file now");
  await expect(pool.run(trial)).rejects.toThrow("must stay as they are while it is run");
});

it("a process that is killed in the middle of a run loses nothing: it is told, and the run is made again", async () => {
  const died = join(temporaryFolder(), "died");
  const { trial, parts } = strategyFile(
    `import { existsSync, writeFileSync } from "node:fs";`,
    `if (!existsSync(${JSON.stringify(died)})) { writeFileSync(${JSON.stringify(died)}, ""); process.kill(process.pid, "SIGKILL"); }`,
  );
  const told: string[] = [];
  const pool = openedPool(1, parts, { tell: (line) => void told.push(line) });
  const results = await Promise.all([pool.run(trial), pool.run(trialOf())]);
  expect(told).toEqual(["a process ended by SIGKILL before its run did: the run is made again"]);
  expect(existsSync(died)).toBe(true);
  const ground = parts;
  expect(results.map(resultText)).toEqual([
    resultText(await runTrial(trial, ground)),
    resultText(await runTrial(trialOf(), ground)),
  ]);
});

it("a run that ends whoever runs it fails by itself, and so does one that throws behind its own back", async () => {
  const deadly = strategyFile("", `process.kill(process.pid, "SIGKILL");`);
  const loose = strategyFile("", `void Promise.reject(new Error("nobody waits for this"));`);
  const stray =
    "strategy written threw in a timer or a promise of its own, where nothing can catch it: Error: nobody waits for this (written.ts:3); a strategy answers at once, so leave timers and promises out of it (docs/guides/strategy.md)";
  const told: string[] = [];
  const parts = { ...NO_FILES, strategies: [...deadly.parts.strategies, ...loose.parts.strategies] };
  const pool = openedPool(1, parts, { tell: (line) => void told.push(line) });
  const results = await Promise.allSettled([pool.run(deadly.trial), pool.run(loose.trial), pool.run(trialOf())]);
  expect(results).toMatchObject([
    { reason: { message: "a run ended 4 processes that ran it, the last one by SIGKILL" } },
    { reason: { message: stray } },
    { value: { kind: "ran" } },
  ]);
  expect(told).toHaveLength(3);
});

it("says what a trial lacks, and goes on with the next", async () => {
  const pool = openedPool(1);
  const missing = trialOf({ data: [{ digest: "feed", name: "x.csv", role: "venue", halfSpreadBps: 0 }] });
  await expect(pool.run(missing)).rejects.toThrow("the columns feed of x.csv must be at hand");
  await expect(pool.run(trialOf({ params: { edgeBips: 1 } }))).rejects.toThrow("params has no edgeBips");
  expect(await pool.run(trialOf({ funds: { CHF: "1", XYZ: "1" } }))).toMatchObject({ kind: "refused" });
  expect(await pool.run(trialOf())).toMatchObject({ kind: "ran" });
});

it("stops when told to, and hands out nothing afterwards", async () => {
  const stop = new AbortController();
  const seen: number[] = [];
  const trials = Array.from({ length: 6 }, (_, i) => trialOf({ seed: i + 1 }));
  await runTrials(
    trials,
    openedPool(1),
    (_, index) => {
      seen.push(index);
      if (seen.length === 2) stop.abort();
    },
    stop.signal,
  );
  expect(seen).toEqual([0, 1]);
});
