import {
  Bool,
  Decimal,
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
import { FORMATS } from "../../../backtest/data/format/formats.ts";
import { parseZone } from "../../../backtest/data/zone.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { problemsOf, read, rowsOf, T0 } from "./stage.ts";

const NONE = Number.NaN;
const bids = [1.05, 1.06, 1.07];
const asks = [1.06, 1.07, 1.08];
const times = [T0, T0 + 1, T0 + 2_500];
const expected = times.map((time, i) => [time, bids[i], asks[i], NONE, NONE]);

/** The clock in Zurich goes from 03:00 back to 02:00, and in spring from 02:00 on to 03:00. */
const AUTUMN = ["01:30", "02:30", "02:45", "02:15", "03:15"].map((clock) => Date.parse(`2025-10-26T${clock}Z`));
const AUTUMN_UTC = ["25T23:30", "26T00:30", "26T00:45", "26T01:15", "26T02:15"].map((day) => `2025-10-${day}:00.000Z`);
const SPRING = ["01:30", "02:30", "03:30"].map((clock) => Date.parse(`2025-03-30T${clock}Z`));

function clockFile(locals: readonly number[]): Uint8Array {
  const prices = locals.map(() => 1.1);
  const unit = { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MILLIS" } as const;
  const schema = [
    { name: "root", num_children: 3 },
    { name: "time", type: "INT64", logical_type: unit, repetition_type: "REQUIRED" },
    { name: "bid", type: "DOUBLE", repetition_type: "REQUIRED" },
    { name: "ask", type: "DOUBLE", repetition_type: "REQUIRED" },
  ] as never;
  const columnData = [
    { name: "time", data: locals.map((time) => new Date(time)) },
    { name: "bid", data: prices },
    { name: "ask", data: prices },
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData, schema }));
}

/** Bars of an hour with volumes; everything but the time as text. */
function barFile(time: object): Uint8Array {
  const column = (name: string, data: readonly string[]) => ({ name, data: [...data], type: "STRING" as const });
  const same = (text: string) => Array.from({ length: 4 }, () => text);
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: "time", ...time } as never,
        column("open", same("110.5")),
        column("high", same("120")),
        column("low", same("100")),
        column("close", ["110", "111", "112", "1.1e2"]),
        column("volume", same("7")),
      ],
    }),
  );
}

describe("columns in a group of a Parquet file", () => {
  const leaf = (name: string, more: object = {}) => ({ name, type: "DOUBLE", repetition_type: "REQUIRED", ...more });
  const group = (name: string, count: number) => ({ name, num_children: count, repetition_type: "REQUIRED" });
  const books = bids.map((bid) => ({ bid: bid * 2, ask: bid * 3 }));
  const file = (schema: readonly object[], columnData: readonly object[]): Uint8Array =>
    new Uint8Array(parquetWriteBuffer({ schema: schema as never, columnData: columnData as never }));

  it("are not those of the table, whatever their names", async () => {
    const schema = [
      group("root", 4),
      group("book", 2),
      leaf("bid"),
      leaf("ask"),
      leaf("time"),
      leaf("bid"),
      leaf("ask"),
    ];
    const own = { time: times, bid: bids, ask: asks };
    const columnData = [{ name: "book", data: books }, ...Object.entries(own).map(([name, data]) => ({ name, data }))];
    expect(rowsOf(await read(file(schema, columnData), {}, FORMATS.parquet, "x.parquet"))).toEqual(expected);
  });

  it("are missing where the table has none of that name", async () => {
    const schema = [group("root", 2), leaf("time"), group("book", 2), leaf("bid"), leaf("ask")];
    const columnData = [
      { name: "time", data: times },
      { name: "book", data: books },
    ];
    const [problem] = await problemsOf(file(schema, columnData), {}, FORMATS.parquet, "x.parquet");
    expect(problem).toContain("x.parquet: columns: columns must be time, bid, ask");
    expect(problem).toContain('was "time"');
  });
});

describe("bars of typed columns", () => {
  it("have prices and volumes as declared, and an hour that comes twice is two bars", async () => {
    const clock = ["01:00", "02:00", "02:00", "03:00"].map((text) => `2025-10-26T${text}:00`);
    const bars = barFile({ data: clock, type: "STRING" });
    const declared = { zone: unwrap(parseZone("Europe/Zurich")), pricePer: 100, sizeTimes: 3 };
    const source = await read(bars, declared, FORMATS.parquet, "b.parquet");
    expect(rowsOf(source)).toEqual(
      [110, 111, 112, 110].map((close, i) => [Date.UTC(2025, 9, 25, 23 + i), 1.105, 1.2, 1, close / 100, 21]),
    );
  });

  it("have times in whole milliseconds, cut off", async () => {
    const seconds = [0, 60, 120, 180].map((s) => T0 / 1_000 + s + 0.1239);
    const source = await read(
      barFile({ data: seconds, type: "DOUBLE" }),
      { timeUnit: "s" },
      FORMATS.parquet,
      "b.parquet",
    );
    expect(rowsOf(source)[1]?.[0]).toBe(T0 + 60_123);
  });
});

it("a date and a time of day in typed columns are refused: only text tables are joined", async () => {
  const column = (name: string, data: readonly string[]) => ({ name, data: [...data], type: "STRING" as const });
  const days = times.map(() => "2026-01-05");
  const columnData = [column("date", days), column("time", days), column("bid", days), column("ask", days)];
  const file = new Uint8Array(parquetWriteBuffer({ columnData }));
  expect(await problemsOf(file, {}, FORMATS.parquet, "p.parquet")).toEqual([
    "p.parquet: columns: the time must be one column: a date and a time of day are joined in text tables only",
  ]);
});

describe("parquet", () => {
  it.each([
    ["MICROS", 1_000n],
    ["NANOS", 1_000_000n],
  ])("has times in %s too", async (unit, per) => {
    const logical_type = { type: "TIMESTAMP", isAdjustedToUTC: true, unit };
    const schema = [
      { name: "root", num_children: 3 },
      { name: "time", type: "INT64", logical_type, repetition_type: "REQUIRED" },
      { name: "bid", type: "DOUBLE", repetition_type: "REQUIRED" },
      { name: "ask", type: "DOUBLE", repetition_type: "REQUIRED" },
    ] as never;
    const columnData = [
      { name: "time", data: times.map((time) => BigInt(time) * per + per - 1n) },
      { name: "bid", data: bids },
      { name: "ask", data: asks },
    ];
    const file = new Uint8Array(parquetWriteBuffer({ columnData, schema }));
    expect(rowsOf(await read(file, {}, FORMATS.parquet, "p.parquet"))).toEqual(expected);
  });

  it("takes days as midnights of the declared clock", async () => {
    const schema = [
      { name: "root", num_children: 3 },
      { name: "time", type: "INT32", converted_type: "DATE", repetition_type: "REQUIRED" },
      { name: "bid", type: "DOUBLE", repetition_type: "REQUIRED" },
      { name: "ask", type: "DOUBLE", repetition_type: "REQUIRED" },
    ] as never;
    const days = [0, 1, 2].map((day) => new Date(T0 + day * 86_400_000));
    const columnData = [
      { name: "time", data: days },
      { name: "bid", data: bids },
      { name: "ask", data: asks },
    ];
    const file = new Uint8Array(parquetWriteBuffer({ columnData, schema }));
    expect((await problemsOf(file, {}, FORMATS.parquet, "p.parquet"))[0]).toContain("has no zone");
    const source = await read(file, { zone: unwrap(parseZone("UTC-5")) }, FORMATS.parquet, "p.parquet");
    expect(rowsOf(source).map(([time]) => time)).toEqual(days.map((day) => day.getTime() + 5 * 3_600_000));
  });
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
      'p.parquet: row 1: zone: time "2026-01-05T00:00:00.000" has no zone, and none was declared (--zone does)',
    );
    const zone = unwrap(parseZone("UTC-5"));
    const [first] = rowsOf(await read(local, { zone }, FORMATS.parquet, "p.parquet"));
    expect(first?.[0]).toBe(T0 + 5 * 3_600_000);
  });

  it("takes timestamps without a zone as times of the declared clock, and needs one", async () => {
    const local = clockFile(AUTUMN);
    expect((await problemsOf(local, {}, FORMATS.parquet, "p.parquet"))[0]).toBe(
      'p.parquet: row 1: zone: time "2025-10-26T01:30:00.000" has no zone, and none was declared (--zone does)',
    );
    const declared = { zone: unwrap(parseZone("Europe/Zurich")) };
    const source = await read(local, declared, FORMATS.parquet, "p.parquet");
    expect(rowsOf(source).map(([time]) => new Date(time as number).toISOString())).toEqual(AUTUMN_UTC);
    expect(await problemsOf(clockFile(SPRING), declared, FORMATS.parquet, "p.parquet")).toEqual([
      'p.parquet: row 2: time: time "2025-03-30T02:30:00.000" does not exist in Europe/Zurich: the clock leapt over it',
    ]);
  });

  it("takes timestamps in UTC as they are, whatever zone is declared", async () => {
    const declared = { zone: unwrap(parseZone("Europe/Zurich")) };
    const instants = written({ data: times.map((time) => new Date(time)), type: "TIMESTAMP" });
    expect(rowsOf(await read(instants, declared, FORMATS.parquet, "p.parquet"))).toEqual(expected);
  });

  it("is refused where a price is a decimal, by its column", async () => {
    const schema = [
      { name: "root", num_children: 3 },
      { name: "time", type: "INT64", repetition_type: "REQUIRED" },
      { name: "bid", type: "DOUBLE", repetition_type: "REQUIRED" },
      { name: "ask", type: "INT64", scale: 5, precision: 18, converted_type: "DECIMAL", repetition_type: "REQUIRED" },
    ] as never;
    const columnData = [
      { name: "time", data: [BigInt(T0)] },
      { name: "bid", data: [1.1] },
      { name: "ask", data: [111_000n] },
    ];
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData, schema }));
    expect(await problemsOf(bytes, {}, FORMATS.parquet, "p.parquet")).toEqual([
      'p.parquet: format: column "ask" must be float64, int64 or text',
    ]);
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
  const table = (zone: string | null = "UTC", rows: readonly number[] = times) =>
    new Table({
      time: vectorFromArray(rows, new TimestampMicrosecond(zone)),
      bid: vectorFromArray(
        rows.map((_, i) => 1.05 + i / 100),
        new Float64(),
      ),
      ask: vectorFromArray(
        rows.map((_, i) => 1.06 + i / 100),
        new Float64(),
      ),
    });

  it.each(["file", "stream"] as const)("is read as a %s, with instants", async (type) => {
    expect(rowsOf(await read(tableToIPC(table(), type), {}, FORMATS.arrow, "GBP-CHF.arrow"))).toEqual(expected);
  });

  it("takes timestamps without a zone as times of the declared clock, and needs one", async () => {
    const local = tableToIPC(table(null, AUTUMN), "file");
    expect((await problemsOf(local, {}, FORMATS.arrow, "a.arrow"))[0]).toBe(
      'a.arrow: row 1: zone: time "2025-10-26T01:30:00.000" has no zone, and none was declared (--zone does)',
    );
    const declared = { zone: unwrap(parseZone("Europe/Zurich")) };
    const source = await read(local, declared, FORMATS.arrow, "a.arrow");
    expect(rowsOf(source).map(([time]) => new Date(time as number).toISOString())).toEqual(AUTUMN_UTC);
    expect(rowsOf(await read(tableToIPC(table("Europe/Zurich"), "file"), declared, FORMATS.arrow, "a.arrow"))).toEqual(
      expected,
    );
  });

  it("is refused as a stream that is cut, wherever that is, and where its end mark is missing", async () => {
    const batches = [0, 1, 2].flatMap((i) => table("UTC", [T0 + i]).batches);
    const bytes = tableToIPC(new Table(batches), "stream");
    const rows = async (size: number, declared = {}) =>
      rowsOf(await read(bytes.subarray(0, size), declared, FORMATS.arrow, "a.arrow")).length;
    expect(await rows(bytes.length)).toBe(3);
    for (const missing of [7, 9, 100, 300])
      expect((await problemsOf(bytes.subarray(0, -missing), {}, FORMATS.arrow, "a.arrow"))[0], `${missing}`).toMatch(
        /^a\.arrow: format: it cannot be read as Arrow: Expected to read /,
      );
    for (const missing of [1, 4, 8])
      expect(await problemsOf(bytes.subarray(0, -missing), {}, FORMATS.arrow, "a.arrow"), `${missing}`).toEqual([
        "a.arrow: row 3: open-end: the stream has no end mark: it may have been cut here",
      ]);
    expect(await rows(bytes.length - 8, { tolerate: ["open-end"] })).toBe(3);
  });

  it("is refused where a price is a decimal, or true or false, by its column", async () => {
    const decimal = vectorFromArray([Uint32Array.of(105, 0, 0, 0)], new Decimal(2, 18));
    const time = vectorFromArray([T0], new TimestampMicrosecond("UTC"));
    for (const prices of [decimal, vectorFromArray([true], new Bool())] as never[]) {
      const file = tableToIPC(new Table({ time, bid: prices, ask: prices }), "file");
      expect(await problemsOf(file, {}, FORMATS.arrow, "a.arrow")).toEqual([
        'a.arrow: format: column "bid" must be float64, int64 or text',
      ]);
    }
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
      time: vectorFromArray(times, new TimestampMicrosecond("UTC")),
      bid: vectorFromArray([1, null, 1], new Float64()),
      ask: vectorFromArray([2, 2, 0.5], new Float64()),
    });
    expect(await problemsOf(tableToIPC(poisoned, "file"), {}, FORMATS.arrow, "a.arrow")).toEqual([
      "a.arrow: row 2: number: bid must be a number, was NaN",
      "a.arrow: row 3: crossed: bid 1 is above ask 0.5",
    ]);
    const bytes = tableToIPC(table(), "file");
    const stream = tableToIPC(table(), "stream");
    for (const [content, problem] of [
      [bytes.subarray(0, 300), "format: the Arrow file is cut: its end is missing"],
      ["time,bid,ask\n", "format: it does not begin like an Arrow file or stream"],
      ["A", "format: it does not begin like an Arrow file or stream"],
      [stream.subarray(0, stream.length - 60), "format: it cannot be read as Arrow: "],
      ["", "empty: the file is empty"],
    ] as const)
      expect((await problemsOf(content, {}, FORMATS.arrow, "a.arrow"))[0]).toContain(problem);
    const lacking = tableToIPC(tableFromArrays({ bid: Float64Array.from(bids) }), "file");
    expect((await problemsOf(lacking, {}, FORMATS.arrow, "a.arrow"))[0]).toContain(
      "columns: quotes need the column time and ask",
    );
  });
});
