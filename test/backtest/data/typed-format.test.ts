import {
  Float64,
  Int64,
  Table,
  TimestampMicrosecond,
  tableFromArrays,
  tableToIPC,
  vectorFromArray,
} from "apache-arrow";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { tryArrow } from "../../../backtest/data/format/arrow-trial.ts";
import { FORMATS } from "../../../backtest/data/format/formats.ts";
import { parseZone } from "../../../backtest/data/zone.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { problemsOf, read, rowsOf, T0 } from "./stage.ts";

const NONE = Number.NaN;
const bids = [1.05, 1.06, 1.07];
const asks = [1.06, 1.07, 1.08];
const times = [T0, T0 + 1, T0 + 2_500];
const expected = times.map((time, i) => [time, bids[i], asks[i], NONE, NONE]);

describe("parquet", () => {
  const written = (time: object): Uint8Array =>
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: "ask", data: asks, type: "DOUBLE" },
          { name: "time", ...time } as never,
          { name: "bid", data: bids, type: "DOUBLE" },
        ],
        rowGroupSize: 2,
      }),
    );

  it.each([
    ["instants", { data: times.map((time) => new Date(time)), type: "TIMESTAMP" }],
    ["whole numbers", { data: times.map(BigInt), type: "INT64" }],
    ["text", { data: times.map((time) => new Date(time).toISOString()), type: "STRING" }],
  ])("is read over row groups, with times as %s", async (_, time) => {
    expect(rowsOf(await read(written(time), {}, FORMATS.parquet, "GBP-CHF.parquet"))).toEqual(expected);
  });

  it("needs a zone where its times are text without one", async () => {
    const local = written({ data: times.map((time) => new Date(time).toISOString().slice(0, -1)), type: "STRING" });
    expect((await problemsOf(local, {}, FORMATS.parquet, "p.parquet"))[0]).toBe(
      'p.parquet: zone: time "2026-01-05T00:00:00.000" has no zone, and none was declared (--zone does)',
    );
    const zone = unwrap(parseZone("UTC-5"));
    const [first] = rowsOf(await read(local, { zone }, FORMATS.parquet, "p.parquet"));
    expect(first?.[0]).toBe(T0 + 5 * 3_600_000);
  });

  it("is refused by row where it is poisoned, and as a whole where it is damaged or lacks a column", async () => {
    const crossed = new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: "time", data: times.map(BigInt), type: "INT64" },
          { name: "bid", data: [1, 3, Number.NaN], type: "DOUBLE" },
          { name: "ask", data: [2, 2, 2], type: "DOUBLE" },
        ],
      }),
    );
    expect(await problemsOf(crossed, {}, FORMATS.parquet, "p.parquet")).toEqual([
      "p.parquet: row 2: crossed: bid 3 is above ask 2",
      "p.parquet: row 3: number: bid must be a number, was NaN",
    ]);
    const bytes = written({ data: times.map(BigInt), type: "INT64" });
    for (const damaged of [bytes.subarray(0, bytes.length - 9), new TextEncoder().encode("time,bid,ask\n")])
      expect((await problemsOf(damaged, {}, FORMATS.parquet, "p.parquet"))[0]).toMatch(
        /^p\.parquet: format: it cannot be read as Parquet/,
      );
    const lacking = new Uint8Array(parquetWriteBuffer({ columnData: [{ name: "bid", data: bids, type: "DOUBLE" }] }));
    expect((await problemsOf(lacking, {}, FORMATS.parquet, "p.parquet"))[0]).toContain(
      "columns: quotes need the column time and ask",
    );
    expect((await problemsOf("", {}, FORMATS.parquet, "p.parquet"))[0]).toBe("p.parquet: empty: the file is empty");
  });
});

describe("arrow", () => {
  const table = () =>
    new Table({
      time: vectorFromArray(times, new TimestampMicrosecond()),
      bid: vectorFromArray(bids, new Float64()),
      ask: vectorFromArray(asks, new Float64()),
    });

  it.each(["file", "stream"] as const)("is read as a %s, with instants", async (type) => {
    expect(rowsOf(await read(tableToIPC(table(), type), {}, FORMATS.arrow, "GBP-CHF.arrow"))).toEqual(expected);
  });

  it("is read with times as whole numbers of a declared unit", async () => {
    const seconds = new Table({
      time: vectorFromArray([BigInt(T0 / 1_000), BigInt(T0 / 1_000 + 1)], new Int64()),
      bid: vectorFromArray([1, 1.1], new Float64()),
      ask: vectorFromArray([1.2, 1.3], new Float64()),
    });
    const source = await read(tableToIPC(seconds, "file"), { timeUnit: "s" }, FORMATS.arrow, "GBP-CHF.arrow");
    expect(rowsOf(source).map(([time]) => time)).toEqual([T0, T0 + 1_000]);
  });

  it("is refused where it is poisoned, damaged or lacks a column", async () => {
    const poisoned = new Table({
      time: vectorFromArray(times, new TimestampMicrosecond()),
      bid: vectorFromArray([1, null, 1], new Float64()),
      ask: vectorFromArray([2, 2, 0.5], new Float64()),
    });
    expect(await problemsOf(tableToIPC(poisoned, "file"), {}, FORMATS.arrow, "a.arrow")).toEqual([
      "a.arrow: row 2: number: bid must be a number, was NaN",
      "a.arrow: row 3: crossed: bid 1 is above ask 0.5",
    ]);
    const bytes = tableToIPC(table(), "file");
    expect((await problemsOf(bytes.subarray(0, 300), {}, FORMATS.arrow, "a.arrow"))[0]).toMatch(/^a\.arrow: /);
    expect((await problemsOf("time,bid,ask\n", {}, FORMATS.arrow, "a.arrow"))[0]).toMatch(/^a\.arrow: /);
    const lacking = tableToIPC(tableFromArrays({ bid: Float64Array.from(bids) }), "file");
    expect((await problemsOf(lacking, {}, FORMATS.arrow, "a.arrow"))[0]).toContain(
      "columns: quotes need the column time and ask",
    );
  });

  it("is refused where damage keeps its reader busy for ever, and the program goes on", async () => {
    const bytes = tableToIPC(table(), "stream");
    const damaged = Uint8Array.from(bytes);
    // The length of a list in the schema, 2 billion or so: nothing else notices that the file is not that long.
    damaged[215] = 0x7f;
    expect(await tryArrow(damaged, 2_000)).toBe("its reader did not get on for 2000 ms");
    expect(await tryArrow(bytes)).toBeUndefined();
  }, 60_000);
});
