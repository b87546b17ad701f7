import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import { type ParquetWriteOptions, parquetWriteBuffer } from "hyparquet-writer";
import { expect, it } from "vitest";
import { parseZone } from "../../../backtest/data/clock.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { read, refusalOf, rowsOf, T0 } from "./stage.ts";

const ROWS = 300;
const times = Array.from({ length: ROWS }, (_, i) => new Date(T0 + i * 1_000));
const bids = Float64Array.from({ length: ROWS }, (_, i) => 1.05 + i / 1e4);
const asks = bids.map((bid) => bid + 1e-4);

type Options = Partial<ParquetWriteOptions>;
const written = (columnData: ParquetWriteOptions["columnData"], more: Options = {}): Uint8Array =>
  new Uint8Array(parquetWriteBuffer({ columnData, ...more }));
const quotes = (time: ParquetWriteOptions["columnData"][number], more?: Options): Uint8Array =>
  written([time, { name: "bid", data: bids, type: "DOUBLE" }, { name: "ask", data: asks, type: "DOUBLE" }], more);
const TIME = { name: "time", data: times, type: "TIMESTAMP" } as const;
const expected = times.map((time, i) => [time.getTime(), bids[i], asks[i]]);
const readRows = async (...args: Parameters<typeof read>) => rowsOf(await read(...args)).map((row) => row.slice(0, 3));

/** The best of Brotli takes minutes for 256 MiB. */
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const CODECS = {
  UNCOMPRESSED: (bytes: Uint8Array) => bytes,
  GZIP: (bytes: Uint8Array) => gzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliCompressSync(bytes),
  ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes),
};

it.each(Object.entries(CODECS))("Parquet is read in row groups, %s", async (codec, compress) => {
  const more = { codec, compressors: { [codec]: compress }, rowGroupSize: 77 } as Options;
  expect(await readRows(quotes(TIME, more), {}, "x.parquet")).toEqual(expected);
});

it("Parquet is read as it is written by default, with numbers and text as times", async () => {
  expect(await readRows(quotes(TIME), {}, "x.parquet")).toEqual(expected);
  const seconds = { name: "at", data: times.map((time) => BigInt(time.getTime() / 1_000)), type: "INT64" } as const;
  const declared = { columns: { time: "at" }, timeUnit: "s" } as const;
  expect(await readRows(quotes(seconds), declared, "x.parquet")).toEqual(expected);
  const text = { name: "time", data: times.map((time) => time.toISOString()), type: "STRING" } as const;
  expect(await readRows(quotes(text), {}, "x.parquet")).toEqual(expected);
});

it("timestamps without a zone need a declared one", async () => {
  const unit = { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MILLIS" };
  const schema = [
    { name: "root", num_children: 3 },
    { name: "time", type: "INT64", logical_type: unit, repetition_type: "REQUIRED" },
    ...["bid", "ask"].map((name) => ({ name, type: "DOUBLE", repetition_type: "REQUIRED" })),
  ];
  const columns = [{ name: "time", data: times }, ...["bid", "ask"].map((name) => ({ name, data: bids }))];
  const file = written(columns, { schema } as Options);
  expect((await refusalOf(file, {}, "x.parquet")).counts).toEqual({ zone: 1 });
  const zone = unwrap(parseZone("UTC-5"));
  expect((await readRows(file, { zone }, "x.parquet"))[0]?.[0]).toBe(T0 + 5 * 3_600_000);
});

it("a row is named by its number, and a price that is missing is none", async () => {
  const bid = { name: "bid", data: [1, null, 1] as number[], type: "DOUBLE", nullable: true } as const;
  const file = written([{ ...TIME, data: times.slice(0, 3) }, bid, { name: "ask", data: [1, 1, 1], type: "DOUBLE" }]);
  expect((await refusalOf(file, {}, "x.parquet")).problems).toMatchObject([{ kind: "number", place: 2 }]);
});

it.each([
  ["GZIP", gzipSync],
  ["BROTLI", (bytes: Uint8Array) => brotliCompressSync(bytes, QUICK)],
  ["ZSTD", zstdCompressSync],
] as const)("a page that unpacks to more than it states is refused, and not unpacked: %s", async (codec, compress) => {
  // 256 MiB of zeroes in some kilobytes, where a page of 2,400 bytes is stated.
  const bomb = compress(new Uint8Array(256 * 2 ** 20));
  const before = process.memoryUsage().rss;
  const file = quotes(TIME, { codec, compressors: { [codec]: () => bomb } } as Options);
  expect((await refusalOf(file, {}, "x.parquet")).counts).toEqual({ format: 1 });
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
});

it("a file that is no Parquet, or cut, is refused", async () => {
  const file = quotes(TIME);
  for (const content of [new Uint8Array(), "time,bid,ask\n", file.slice(0, -9), file.slice(9)])
    expect((await refusalOf(content, {}, "x.parquet")).counts).toEqual({ format: 1 });
});
