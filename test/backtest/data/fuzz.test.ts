import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, it } from "vitest";
import type { Format } from "../../../backtest/data/format/format.ts";
import { FORMATS } from "../../../backtest/data/format/formats.ts";
import { DataRefused } from "../../../backtest/data/problem.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";
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
];

/** A few bytes changed, taken out, put in or doubled. */
function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  let changed = Buffer.from(bytes);
  for (let times = random.integer(1, 3); times > 0; times--) {
    const at = random.integer(0, Math.max(0, changed.length - 1));
    const end = Math.min(changed.length, at + random.integer(1, 12));
    const [head, piece, tail] = [changed.subarray(0, at), changed.subarray(at, end), changed.subarray(end)];
    const junk = Buffer.from(Array.from({ length: random.integer(1, 4) }, () => random.integer(0, 255)));
    const forms = [[head, junk, tail], [head, tail], [head, piece, piece, tail], [head, junk, piece, tail], [head]];
    changed = Buffer.concat(forms[random.integer(0, random.next() < 0.1 ? 4 : 3)] as Buffer[]);
  }
  return changed;
}

it.each(FILES)(
  "$name damaged at random is refused by name or gives rows that keep the rules",
  async (format, name, content) => {
    const seed = 21;
    const random = createRandom(seed);
    let refused = 0;
    for (let round = 0; round < 150; round++) {
      const damaged = mutated(content, random);
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
    expect(refused, `seed ${seed}`).toBeGreaterThan(50);
  },
);
