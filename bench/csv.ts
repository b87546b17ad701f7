// What it costs to read a file of quotes: our byte scanner against papaparse, the second load against the first, and the
// memory that a million quotes take. Medians of interleaved pairs: `npm run bench:csv`.

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Papa from "papaparse";
import { csv } from "../backtest/data/format/csv.ts";
import { openData } from "../backtest/data/open-data.ts";
import { readData } from "../backtest/data/read-data.ts";
import { memorySink, type QuoteSource } from "../backtest/data/source.ts";
import type { PairSymbol } from "../src/domain/asset.ts";
import { createRandom } from "../src/domain/random.ts";
import type { QuoteColumns } from "../src/market/column.ts";

const SYMBOL = "GBP/CHF" as PairSymbol;
const QUOTES = 1_000_000;
const PAIRS = 7;
const FASTER_MIN = 6;
const SECOND_MAX = 0.2;
const MIB_MAX = 40;

const folder = mkdtempSync(join(tmpdir(), "pegbot-bench-"));
const path = join(folder, "GBP-CHF.csv");

function writeQuotes(): void {
  const random = createRandom(7);
  const lines = ["time,bid,ask,bidSize,askSize"];
  let mid = 1.06;
  let time = Date.UTC(2026, 0, 5);
  for (let i = 0; i < QUOTES; i++) {
    mid += (random.next() - 0.5) * 0.00004;
    time += random.integer(1, 400);
    const sizes = `${random.integer(1_000, 90_000)},${random.integer(1_000, 90_000)}`;
    lines.push(`${time},${(mid - 0.00005).toFixed(6)},${(mid + 0.00005).toFixed(6)},${sizes}`);
  }
  writeFileSync(path, `${lines.join("\n")}\n`);
}

async function ours(): Promise<QuoteColumns> {
  const memory = memorySink();
  const { subject, leftOut } = await readData({ path, format: csv, declared: { symbol: SYMBOL } }, () => memory.sink);
  return only(memory.source(subject, leftOut) as QuoteSource);
}

function only(source: QuoteSource): QuoteColumns {
  const [columns] = [...source.chunks()];
  if (columns === undefined) throw new Error("no chunk");
  return columns;
}

/** Its quickest way: no header objects, no typing, no quotes; numbers straight into columns. */
function papaparse(): Pick<QuoteColumns, "time" | "bid" | "ask" | "bidSize" | "askSize"> {
  const columns = Array.from({ length: 5 }, () => new Float64Array(QUOTES)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let row = -1;
  Papa.parse<string[]>(readFileSync(path, "utf8"), {
    fastMode: true,
    skipEmptyLines: true,
    step({ data }) {
      if (row >= 0) for (let c = 0; c < 5; c++) (columns[c] as Float64Array)[row] = Number(data[c]);
      row++;
    },
  });
  const [time, bid, ask, bidSize, askSize] = columns;
  return { time, bid, ask, bidSize, askSize };
}

type Timed<T> = { readonly ms: number; readonly value: T };

/** On the processor: other programs on the machine do not count. */
async function worked<T>(run: () => T | Promise<T>): Promise<Timed<T>> {
  const from = process.cpuUsage();
  const value = await run();
  const { user, system } = process.cpuUsage(from);
  return { ms: (user + system) / 1e3, value };
}

/** On the clock: waiting for the disk does count. */
async function waited<T>(run: () => T | Promise<T>): Promise<Timed<T>> {
  const from = performance.now();
  const value = await run();
  return { ms: performance.now() - from, value };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

async function scanner(): Promise<readonly number[]> {
  const ratios: number[] = [];
  for (let pair = 0; pair < PAIRS + 1; pair++) {
    const mine = await worked(ours);
    const theirs = await worked(papaparse);
    for (const name of ["time", "bid", "ask", "bidSize", "askSize"] as const)
      if (Buffer.compare(Buffer.from(mine.value[name].buffer), Buffer.from(theirs.value[name].buffer)) !== 0)
        throw new Error(`the readers differ in ${name}`);
    // The first pair warms both up.
    if (pair > 0) ratios.push(theirs.ms / mine.ms);
    if (pair > 0) rates.push(QUOTES / mine.ms / 1_000);
  }
  return ratios;
}

async function loads(): Promise<readonly number[]> {
  const ratios: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const cacheFolder = join(folder, `cache-${pair}`);
    const open = () => openData(path, { cacheFolder, memory: "whole" });
    const first = await waited(open);
    const second = await waited(open);
    if (!first.value.ok || !second.value.ok) throw new Error("the file was refused");
    ratios.push(second.ms / first.ms);
    rmSync(cacheFolder, { recursive: true });
  }
  return ratios;
}

async function mibPerMillion(): Promise<number> {
  const cacheFolder = join(folder, "cache");
  const hold = () => openData(path, { cacheFolder, memory: "whole" });
  await hold();
  globalThis.gc?.();
  const before = process.memoryUsage();
  const held = await hold();
  globalThis.gc?.();
  const after = process.memoryUsage();
  if (!held.ok) throw new Error("the file was refused");
  const columns = only(held.value[0]?.source as QuoteSource);
  const { time, bid, ask, bidSize, askSize } = columns;
  const bytes = [time, bid, ask, bidSize, askSize].reduce((sum, column) => sum + column.buffer.byteLength, 0);
  const heap = Math.max(0, after.heapUsed - before.heapUsed);
  return ((bytes + heap) / 2 ** 20 / QUOTES) * 1e6;
}

const rates: number[] = [];
try {
  writeQuotes();
  const faster = median(await scanner());
  const second = median(await loads());
  const mib = await mibPerMillion();
  process.stdout.write(
    `${[
      `file                ${QUOTES} quotes, ${(statSync(path).size / 1e6).toFixed(0)} MB`,
      `byte scanner        ${median(rates).toFixed(1)} million rows a second, rules included`,
      `against papaparse   ${faster.toFixed(1)} times as fast (at least ${FASTER_MIN}), median of ${PAIRS} pairs`,
      `second load         ${second.toFixed(3)} of the first (at most ${SECOND_MAX}), median of ${PAIRS} pairs`,
      `held in memory      ${mib.toFixed(1)} MiB per million quotes (at most ${MIB_MAX})`,
    ].join("\n")}\n`,
  );
  if (faster < FASTER_MIN || second > SECOND_MAX || mib > MIB_MAX) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
