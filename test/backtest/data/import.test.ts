import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { parseZone, textTime } from "../../../backtest/data/clock.ts";
import { importData } from "../../../backtest/data/import-data.ts";
import { BLOCK_ROWS } from "../../../backtest/data/row-check.ts";
import type { BarSource } from "../../../backtest/data/source.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { fileOf, GBPCHF, newFolder, PROVENANCE, quotesCsv, read, refusalOf, rowsOf, T0 } from "./stage.ts";

const good = (i: number): string => `${T0 + i * 1_000},1.05${i % 10},1.06`;
const UTC = unwrap(parseZone("UTC"));

describe("a table of text", () => {
  it("is read by the names of pegbot's own columns, in any order, with sizes that may be unknown", async () => {
    const text = "Ask,time,x,BID,bidSize\n1.06,1767571200000,?,1.05,500\n1.07,1767571201000,?,1.06,\n";
    expect(rowsOf(await read(text))).toEqual([
      [T0, 1.05, 1.06, 500, Number.NaN],
      [T0 + 1_000, 1.06, 1.07, Number.NaN, Number.NaN],
    ]);
  });

  it("is read by declared names, whatever stands between fields and lines", async () => {
    const text =
      '"When";"Sell";"Buy"\r\n"2026-01-05 00:00:00";"1.05";1.06\r\n\r\n2026-01-05T01:00:01.5+01:00;1.05;1.07';
    const columns = { time: "When", bid: "Sell", ask: "Buy" };
    expect(rowsOf(await read(text, { columns, zone: UTC })).map((row) => row.slice(0, 3))).toEqual([
      [T0, 1.05, 1.06],
      [T0 + 1_500, 1.05, 1.07],
    ]);
  });

  it("without a header is read by declared places, as bars of the smallest step", async () => {
    const text = "1767571200,1.1,1.2,1,1.15,9,3\n1767571260,1.1,1.2,1,1.15,8,3\n1767571380,1.1,1.2,1,1.15,,3\n";
    const columns = { time: "1", open: "2", high: "3", low: "4", close: "5", volume: "6" };
    const source = (await read(text, { columns, timeUnit: "s" })) as BarSource;
    expect(source).toMatchObject({ kind: "bars", intervalMs: 60_000, rows: 3 });
    expect(rowsOf(source)[2]).toEqual([T0 + 180_000, 1.1, 1.2, 1, 1.15, Number.NaN]);
  });

  it("of more rows than a block keeps every one, over pieces of a file", async () => {
    const rows = 2 * BLOCK_ROWS + 7;
    const source = await read(`time,bid,ask\n${Array.from({ length: rows }, (_, i) => good(i)).join("\n")}`);
    expect(rowsOf(source).every(([time, bid], i) => time === T0 + i * 1_000 && bid === Number(`1.05${i % 10}`))).toBe(
      true,
    );
    expect(source.rows).toBe(rows);
  });

  test.prop([
    fc.array(fc.tuple(fc.integer({ min: 0, max: 5_000 }), fc.double({ min: 0.6, max: 1, noNaN: true })), {
      minLength: 1,
    }),
  ])("gives back every time and price to the bit", async (steps) => {
    const rows = steps.map(([step, bid], i) => [T0 + i * 5_001 + step, bid, bid * 1.01]);
    const source = await read(quotesCsv(...rows.map((row) => row.join(","))));
    expect(rowsOf(source).map((row) => row.slice(0, 3))).toEqual(rows);
  });
});

describe("a bad row is named with its line:", () => {
  it.each([
    ["number", quotesCsv(good(0), `${T0 + 1_000},NaN,1.06`), 3],
    ["number", quotesCsv(good(0), `${T0 + 1_000},"1,05",1.06`), 3],
    ["number", quotesCsv(`${T0},,1.06`), 2],
    ["price", quotesCsv(`${T0},0,1.06`), 2],
    ["price", quotesCsv(`${T0},-1,1.06`), 2],
    ["size", `time,bid,ask,bidSize\n${T0},1.05,1.06,-1\n`, 2],
    ["crossed", quotesCsv(good(0), `${T0 + 1_000},1.07,1.06`), 3],
    ["jump", quotesCsv(`${T0},1,2.1`), 2],
    ["jump", quotesCsv(good(0), `${T0 + 1_000},105,106`), 3],
    ["time", quotesCsv("x,1.05,1.06"), 2],
    ["time", quotesCsv("2026-02-30T00:00Z,1.05,1.06"), 2],
    ["time", quotesCsv("1767571200,1.05,1.06"), 2],
    ["backwards", quotesCsv(good(1), good(0)), 3],
    ["duplicate", quotesCsv(good(0), good(0)), 3],
    ["fields", quotesCsv(good(0), `${T0 + 1_000},1.05`), 3],
    ["bar", `time,open,high,low,close\n${T0},1.1,1.05,1,1.02\n`, 2],
    ["duplicate", `time,open,high,low,close\n${T0},1,1,1,1\n${T0},1,1.1,1,1.1\n`, 3],
  ])("%s", async (kind, text, place) => {
    expect((await refusalOf(text)).problems).toMatchObject([{ kind, place }]);
  });

  it("two quotes of one millisecond are no duplicate", async () => {
    expect((await read(quotesCsv(`${T0},1.05,1.06`, `${T0},1.051,1.06`))).rows).toBe(2);
  });

  it("tolerated by name it is left out and counted, and a time that goes back or a leap never is", async () => {
    const text = quotesCsv(good(0), "x,1,2", good(1), good(1));
    const source = await read(text, { tolerate: ["number", "time", "duplicate"] });
    expect(source).toMatchObject({ rows: 2, leftOut: { time: 1, duplicate: 1 } });
    const tolerate = ["backwards", "jump"] as never;
    expect((await refusalOf(quotesCsv(good(1), good(0)), { tolerate: [] })).counts).toEqual({ backwards: 1 });
    expect((await read(quotesCsv(good(0), `${T0 + 1_000},3,3.1`), { jumpMax: 3, tolerate })).rows).toBe(2);
  });
});

it.each([
  ["empty", ""],
  ["empty", "time,bid,ask\n"],
  ["columns", `time,price,volume\n${good(0)}\n`],
  ["columns", `time,bid,ask,bid\n${good(0)},1\n`],
  ["columns", `${good(0)}\n`],
  ["zone", quotesCsv("2026-01-05 00:00:00,1.05,1.06")],
  ["format", gzipSync(quotesCsv(good(0)))],
  ["format", `time,open,high,low,close\n${T0},1,1,1,1\n`],
  ["format", `time,open,high,low,close\n${T0},1,1,1,1\n${T0 + 31 * 86_400_000},1,1,1,1\n`],
])("a file with a problem of kind %s is refused as a whole", async (kind, content) => {
  expect((await refusalOf(content)).problems).toMatchObject([{ kind }]);
});

it("a file of another format is refused, and so are declared columns that are not there", async () => {
  expect((await refusalOf(quotesCsv(good(0)), {}, "prices.arrow")).counts).toEqual({ format: 1 });
  expect((await refusalOf(quotesCsv(good(0)), { columns: { bidSize: "depth" } })).counts).toEqual({ columns: 1 });
  expect((await refusalOf(quotesCsv(good(0)), { intervalMs: 60_000 })).counts).toEqual({ format: 1 });
});

describe("a time", () => {
  it.each([
    ["2026-01-31T12:30:05.123Z", "2026-01-31T12:30:05.123Z", true],
    ["2026-01-31 12:30:05.123456", "2026-01-31T12:30:05.123Z", false],
    ["2026.01.31 12:30", "2026-01-31T12:30:00.000Z", false],
    ["2026-01-31", "2026-01-31T00:00:00.000Z", false],
    ["2026-01-31 12:30:05 UTC", "2026-01-31T12:30:05.000Z", true],
    ["2026-01-31T12:30:05+05:30", "2026-01-31T07:00:05.000Z", true],
    ["2026-01-31T12:30:05-0800", "2026-01-31T20:30:05.000Z", true],
  ])("%s is read", (text, expected, hasZone) => {
    expect(textTime(text)).toEqual({ time: Date.parse(expected), hasZone });
  });

  it.each([
    "2026-02-29",
    "2026-13-01",
    "2026-01-31T24:00",
    "2026-01-31T12:60",
    "31.01.2026",
    "2026-01-31 12:30 CET",
    "now",
  ])("%s is not", (text) => {
    expect(textTime(text)).toBeUndefined();
  });

  it.each(["CET", "UTC+15", "Europe/Zurich", "+01:00"])("has no zone %s", (text) => {
    expect(parseZone(text).ok).toBe(false);
  });
});

describe("an import", () => {
  it("of several files is one, with the digest of each, and refused where one does not go on from the last", async () => {
    const folder = newFolder();
    const [one, two] = [quotesCsv(good(0), good(1)), quotesCsv(good(2))].map((text) => fileOf(text)) as [
      string,
      string,
    ];
    const original = { path: one, more: [two], symbol: GBPCHF, declared: {} };
    const { manifest } = unwrap(await importData(original, join(folder, "a.columns"), PROVENANCE));
    expect(manifest).toMatchObject({
      rows: 3,
      source: { origin: "a friend", licence: "CC0", more: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }] },
    });
    const turned = await importData({ ...original, path: two, more: [one] }, join(folder, "b.columns"), PROVENANCE);
    expect(turned).toMatchObject({ ok: false, error: { problems: [{ kind: "backwards", file: one, place: 2 }, {}] } });
    expect(readdirSync(folder).sort()).toEqual(["a.columns", "a.columns.manifest.json"]);
  });

  it("of a file that changes meanwhile is refused", async () => {
    const path = fileOf(quotesCsv(good(0)));
    const watch = (): void => writeFileSync(path, quotesCsv(good(0), good(1)));
    const out = join(newFolder(), "x.columns");
    const result = await importData({ path, symbol: GBPCHF, declared: {}, watch }, out, PROVENANCE);
    expect(result).toMatchObject({ error: { counts: { changed: 1 } } });
  });

  it.each(["x.columns", "x.columns.manifest.json"])(
    "writes over no %s that appeared meanwhile, and leaves nothing",
    async (taken) => {
      const folder = newFolder();
      const out = join(folder, "x.columns");
      mkdirSync(join(folder, taken));
      const original = { path: fileOf(quotesCsv(good(0))), symbol: GBPCHF, declared: {} };
      await expect(importData(original, out, PROVENANCE)).rejects.toMatchObject({ code: "EEXIST" });
      expect(readdirSync(dirname(out))).toEqual([taken]);
    },
  );

  it("says in the manifest what was declared, left out and found", async () => {
    const out = join(newFolder(), "x.columns");
    const text = quotesCsv(
      "2026-01-05 00:00,1,1.1",
      "2026-01-05 00:01,1,1.2",
      "2026-01-05 09:00,1,1.3",
      "2026-01-05 09:01,1,1.3",
    );
    const original = { path: fileOf(text), symbol: GBPCHF, declared: { zone: UTC }, leftOut: { jump: 2 } };
    unwrap(await importData(original, out, PROVENANCE));
    expect(JSON.parse(readFileSync(`${out}.manifest.json`, "utf8"))).toMatchObject({
      symbol: "GBP/CHF",
      from: "2026-01-05T00:00:00.000Z",
      leftOut: { jump: 2 },
      source: { zone: "UTC", declared: { zone: "UTC" } },
      report: { gaps: { count: 1, longest: [{ from: "2026-01-05T00:01:00.000Z" }] }, price: { min: 1, max: 1.3 } },
    });
  });
});
