import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, it, onTestFinished, vi } from "vitest";
import { createRandom } from "../../../src/domain/random.ts";
import { damagedBytes, fuzz } from "../../support/fuzz.ts";
import { quotesCsv, read, rowsOf, T0 } from "./stage.ts";

const times = Array.from({ length: 50 }, (_, i) => T0 + i * 1_000);
const bids = times.map((_, i) => 1.05 + (i % 7) / 1_000);
const asks = bids.map((bid) => bid + 0.0002);
const PARQUET = new Uint8Array(
  parquetWriteBuffer({
    columnData: [
      { name: "time", data: times.map(BigInt), type: "INT64" },
      { name: "bid", data: bids, type: "DOUBLE" },
      { name: "ask", data: asks, type: "DOUBLE" },
    ],
  }),
);
const CSV = Buffer.from(quotesCsv(...times.map((time, i) => `${time},${bids[i]},${asks[i]}`)));

/** What a library never finishes need not be waited for as long as a user's. */
function waitLess(): void {
  const { timeout } = AbortSignal;
  const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout.call(AbortSignal, ms / 15));
  onTestFinished(() => spy.mockRestore());
}

it("Parquet that the library reads without end is refused", async () => {
  waitLess();
  const random = createRandom(1857026833);
  let damaged: Buffer = Buffer.alloc(0);
  for (let i = 0; i <= 42; i++) damaged = damagedBytes(PARQUET, random);
  await expect(read(damaged, {}, "x.parquet")).rejects.toThrow(/it took longer than 30 s|memory limit/);
});

// Parquet has a thread for each file.
it.each([
  ["x.csv", CSV, 150],
  ["x.parquet", PARQUET, 20],
] as const)("%s damaged at random is refused by name or gives rows that keep the rules", async (name, content, few) => {
  waitLess();
  const { seed, count, random } = fuzz(`fuzz-data ${name}`, few);
  for (let round = 0; round < count; round++) {
    const outcome = await read(damagedBytes(content, random), {}, name).catch((error: Error) => error);
    if (outcome instanceof Error) {
      expect(outcome.message, `seed ${seed}, round ${round}`).toContain('"problems":[{"kind":');
      continue;
    }
    const rows = rowsOf(outcome) as [number, number, number][];
    for (const [i, [time, bid, ask]] of rows.entries())
      expect(time >= (rows[i - 1]?.[0] ?? 0) && bid > 0 && bid <= ask, `seed ${seed}, round ${round}`).toBe(true);
  }
});
