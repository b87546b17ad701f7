import { gzipSync } from "node:zlib";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Format } from "../../../backtest/data/format/format.ts";
import { FORMATS } from "../../../backtest/data/format/formats.ts";
import { DataRefused } from "../../../backtest/data/problem.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { damagedBytes, fuzz } from "../../support/fuzz.ts";
import { quotesCsv, read, rowsOf, T0 } from "./stage.ts";

const times = Array.from({ length: 50 }, (_, i) => T0 + i * 1_000);
const bids = times.map((_, i) => 1.05 + (i % 7) / 1_000);
const asks = bids.map((bid) => bid + 0.0002);
const text = quotesCsv(times.map((time, i) => `${time},${bids[i]},${asks[i]}`));
const bar = (time: number): number[] => [time, 1, 1.2, 0.9, 1.1, 5];

const FILES: readonly (readonly [format: Format, name: string, content: Uint8Array])[] = [
  [FORMATS.csv, "x.csv", Buffer.from(text)],
  [FORMATS.csv, "x.csv.gz", gzipSync(text)],
  [FORMATS.ecb, "x.csv", Buffer.from("Date,GBP,CHF,\n2026-07-02,0.86,0.935,\n2026-07-01,0.85,0.93,\n")],
  [
    FORMATS.histdata,
    "x.csv",
    Buffer.from("20260105 000000;1.25;1.26;1.24;1.25;0\n20260105 000100;1.25;1.26;1.24;1.25;0\n"),
  ],
  [FORMATS.ccxt, "x.json", Buffer.from(JSON.stringify(times.map(bar)))],
  [
    FORMATS.parquet,
    "x.parquet",
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: "time", data: times.map(BigInt), type: "INT64" },
          { name: "bid", data: bids, type: "DOUBLE" },
          { name: "ask", data: asks, type: "DOUBLE" },
        ],
      }),
    ),
  ],
  ...(["file", "stream"] as const).map((form) => {
    const table = tableFromArrays({
      time: BigInt64Array.from(times.map(BigInt)),
      bid: Float64Array.from(bids),
      ask: Float64Array.from(asks),
    });
    return [FORMATS.arrow, `${form}.arrow`, tableToIPC(table, form)] as const;
  }),
];

/** What a library never finishes need not be waited for as long as a user's. */
function waitLess(): void {
  const { timeout } = AbortSignal;
  const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout.call(AbortSignal, ms / 15));
  onTestFinished(() => spy.mockRestore());
}

it.each([
  ["x.parquet", "Parquet", 1857026833, 42],
  ["stream.arrow", "Arrow", 1857006346, 11],
] as const)("%s that the library reads without end is refused", async (file, title, seed, last) => {
  waitLess();
  const [format, , content] = FILES.find(([, name]) => name === file) as (typeof FILES)[number];
  const random = createRandom(seed);
  let damaged: Buffer = Buffer.alloc(0);
  for (let i = 0; i <= last; i++) damaged = damagedBytes(content, random);
  const outcome = await read(damaged, {}, format, file).catch((error: unknown) => error);
  expect(String(outcome)).toMatch(new RegExp(`cannot be read as ${title}: (it took longer than 30 s|.*memory limit)`));
});

it.each(FILES)(
  "$name damaged at random is refused by name or gives rows that keep the rules",
  async (format, name, content) => {
    waitLess();
    // Those two have a thread for each file.
    const few = format === FORMATS.parquet || format === FORMATS.arrow ? 20 : 150;
    const { seed, count, random } = fuzz(`fuzz-data ${format.name} ${name}`, few);
    let refused = 0;
    for (let round = 0; round < count; round++) {
      const damaged = damagedBytes(content, random);
      const outcome = await read(damaged, {}, format, name).catch((error: unknown) => error);
      if (outcome instanceof DataRefused) {
        refused++;
        expect(outcome.refusal.problems.length).toBeGreaterThan(0);
      } else if (outcome instanceof Error) throw new Error(`seed ${seed}, round ${round}`, { cause: outcome });
      else {
        const rows = rowsOf(outcome as Awaited<ReturnType<typeof read>>);
        for (const [i, row] of rows.entries()) {
          const [time, first, second] = row as [number, number, number];
          const isOrdered = i === 0 || time >= (rows[i - 1]?.[0] as number);
          if (!(isOrdered && first > 0 && first <= second && second < Number.POSITIVE_INFINITY))
            expect({ seed, round, row }).toBe("a row that keeps the rules");
        }
      }
    }
    // Mutations that change nothing that matters exist, but few.
    expect(refused, `seed ${seed}`).toBeGreaterThan(count / 3);
  },
);
