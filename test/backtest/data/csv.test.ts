import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { writeCsv } from "../../../backtest/data/csv/write-csv.ts";
import { parseZone } from "../../../backtest/data/zone.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { GBPCHF, newFolder, problemsOf, quotesCsv, read, rowsOf, T0 } from "./stage.ts";

const NONE = Number.NaN;

describe("a table of quotes", () => {
  it("is read by the names of its columns, in any order, with unknown ones left alone", async () => {
    const text = `ask,note,Bid Size,time,bid\n1.25,"a, ""quoted, twice"" note",300,${T0},1.2\n1.3,,,${T0 + 1},1.2\n`;
    const source = await read(text);
    expect(rowsOf(source)).toEqual([
      [T0, 1.2, 1.25, 300, NONE],
      [T0 + 1, 1.2, 1.3, NONE, NONE],
    ]);
    expect(source).toMatchObject({ kind: "quotes", symbol: GBPCHF, rows: 2, firstAt: T0, lastAt: T0 + 1 });
  });

  it("gives every number exactly as the text reads, however many digits it has", async () => {
    const seed = 5;
    const random = createRandom(seed);
    // Of the first two the digits make a whole number that no double holds: dividing it would round twice.
    const texts = ["1.1618776503696541", "1.6952642127929309"].concat(
      Array.from({ length: 4_000 }, () => numberText(random.integer(0, 7), random)),
    );
    const rows = texts.map((text, i) => `${T0 + i},1.0,1.5,${text},`);
    const source = await read(quotesCsv(rows, "time,bid,ask,bidSize,askSize"));
    const sizes = rowsOf(source).map((row) => row[3]);
    for (const [i, text] of texts.entries()) expect(sizes[i], `seed ${seed}, ${text}`).toBe(Number(text));
  });

  it.each([
    ["a byte order mark", "\ufefftime,bid,ask\n", "\n", {}],
    ["Windows line ends", "time,bid,ask\r\n", "\r\n", {}],
    ["semicolons", "time;bid;ask\n", "\n", {}],
    ["tabs", "time\tbid\task\n", "\n", {}],
    ["a bar", "time|bid|ask\n", "\n", {}],
  ])("may come with %s", async (_, header, end) => {
    const delimiter = /[,;\t|]/.exec(header)?.[0] ?? "";
    const text =
      header +
      [
        [T0, "1.25", "1.26"],
        [T0 + 5, "1.24", "1.25"],
      ]
        .map((row) => row.join(delimiter) + end)
        .join("");
    expect(rowsOf(await read(text))).toEqual([
      [T0, 1.25, 1.26, NONE, NONE],
      [T0 + 5, 1.24, 1.25, NONE, NONE],
    ]);
  });

  it("may have decimal commas when that is declared", async () => {
    const text = `time;bid;ask\n${T0};1,25;1,26\n`;
    expect(rowsOf(await read(text, { decimalComma: true }))).toEqual([[T0, 1.25, 1.26, NONE, NONE]]);
  });

  it("has points for decimals or commas, never both: 1.050 is a thousand to whoever writes commas", async () => {
    const declared = { decimalComma: true };
    const row = "GBP-CHF.csv:2: number:";
    expect(await problemsOf(`time;bid;ask\n${T0};1.050;1,06\n`, declared)).toEqual([
      `${row} bid must have a decimal comma, as declared, was "1.050"`,
    ]);
    expect(await problemsOf(quotesCsv([`${T0},1.05,1.06`]), declared)).toEqual([
      `${row} bid must have a decimal comma, as declared, was "1.05"`,
    ]);
    expect(rowsOf(await read(quotesCsv([`${T0},"1,05","1,06"`]), declared))).toEqual([[T0, 1.05, 1.06, NONE, NONE]]);
    // Between commas nobody knows which of them are decimal.
    expect(await problemsOf(quotesCsv([`${T0},1,05,1,06`]), declared)).toEqual([
      "GBP-CHF.csv:2: fields: a row must have 3 fields, was 5",
    ]);
  });

  it("may have the delimiter between quotes, in its header too, and says how many fields a row has by the same rule", async () => {
    const header = 'time,bid,ask,"note, ""long"""';
    const text = quotesCsv([`${T0},1.05,1.06,"a, ""b"""`, `${T0 + 1},1.05,1.07,c`], header);
    expect(rowsOf(await read(text))).toEqual([
      [T0, 1.05, 1.06, NONE, NONE],
      [T0 + 1, 1.05, 1.07, NONE, NONE],
    ]);
    expect(await problemsOf(quotesCsv([`${T0},1.05,1.06,"a, b",5`], header))).toEqual([
      "GBP-CHF.csv:2: fields: a row must have 4 fields, was 5",
    ]);
    // A single quote is a letter of a name.
    expect(rowsOf(await read(quotesCsv([`${T0},1.05,1.06,x`], 'time,bid,ask,5" pipe')))).toHaveLength(1);
  });

  it("must end its lines in a line feed: in one without any all rows would be its header", async () => {
    const rows = (count: number) => `time,bid,ask\r${`${T0},1.05,1.06\r`.repeat(count)}`;
    expect(await problemsOf(rows(1))).toEqual([expect.stringContaining("open-end")]);
    expect(await problemsOf(rows(10_000))).toEqual([expect.stringContaining(":1: line-length: ")]);
  });

  it("knows sizes by the names of those who sell data", async () => {
    const text = quotesCsv([`${T0},5,1.06,1.05,3`], "timestamp,ask_amount,ask_price,bid_price,bid_amount");
    expect(rowsOf(await read(text))).toEqual([[T0, 1.05, 1.06, 3, 5]]);
    // Beside a size an amount is something else: what it comes to in the other currency.
    const both = quotesCsv([`${T0},1.05,1.06,3,3.15,5`], "time,bid,ask,bid_size,bid_amount,ask_amount");
    expect(rowsOf(await read(both))).toEqual([[T0, 1.05, 1.06, 3, 5]]);
  });

  it("is read alike in pieces of any size, and packed", async () => {
    // Rows of about 35 bytes over several chunks of a mebibyte.
    const rows = Array.from(
      { length: 70_000 },
      (_, i) => `${T0 + i * 10},1.${1000 + (i % 97)},1.2${(i % 89) + 10},${i},1`,
    );
    const text = quotesCsv(rows, "time,bid,ask,bidSize,askSize");
    const plain = rowsOf(await read(text));
    expect(plain).toHaveLength(70_000);
    expect(plain[69_999]).toEqual([
      T0 + 699_990,
      Number(`1.${1000 + (69_999 % 97)}`),
      Number(`1.2${(69_999 % 89) + 10}`),
      69_999,
      1,
    ]);
    expect(rowsOf(await read(gzipSync(text), {}, undefined, "GBP-CHF.csv.gz"))).toEqual(plain);
  });

  it("scales prices and sizes as declared", async () => {
    const text = quotesCsv([`${T0},158611.0,158618.0,1.8,0.9`], "time,bid,ask,bidSize,askSize");
    expect(rowsOf(await read(text, { pricePer: 100_000, sizeTimes: 1_000_000 }))).toEqual([
      [T0, 1.58611, 1.58618, 1_800_000, 900_000],
    ]);
  });
});

it("a table that was written reads back as it was, number by number, with what is unknown left empty", async () => {
  const rows = Array.from(
    { length: 9_000 },
    (_, i) => `${T0 + i},1.${(i * 7919) % 1_000_003},2,${i % 3 === 0 ? "" : i / 3},`,
  );
  const source = await read(quotesCsv(rows, "time,bid,ask,bidSize,askSize"));
  const path = join(newFolder(), "again.csv");
  await writeCsv(path, source);
  expect(rowsOf(await read(readFileSync(path)))).toEqual(rowsOf(source));
});

describe("times", () => {
  const at = (text: string) => quotesCsv([`${text},1.2,1.3`]);

  it.each([
    ["2026-01-05T00:00:00Z", T0],
    ["2026-01-05T01:30:00.5+01:00", T0 + 1_800_500],
    ["2026-01-05 01:30:00+01", T0 + 1_800_000],
    ["2026-01-04 23:00:00.25-02", T0 + 3_600_250],
    ["2026-01-05 00:30:00 UTC", T0 + 1_800_000],
    ["2026-01-05 00:00:01.123456Z", T0 + 1_123],
    ['"2026-01-05T00:00:00.000Z"', T0],
    [String(T0), T0],
    ["1.7675712e12", 1_767_571_200_000],
  ])("%s is read", async (text, expected) => {
    expect(rowsOf(await read(at(text)))[0]?.[0]).toBe(expected);
  });

  it("in seconds, microseconds and nanoseconds are read when declared", async () => {
    for (const [timeUnit, text] of [
      ["s", "1767571200.5"],
      ["us", "1767571200500999"],
      ["ns", "1767571200500999999"],
    ] as const)
      expect(rowsOf(await read(at(text), { timeUnit }))[0]?.[0]).toBe(1_767_571_200_500);
  });

  it("without a zone need one", async () => {
    expect(await problemsOf(at("2026-01-05 00:00:00"))).toEqual([
      'GBP-CHF.csv:2: zone: time "2026-01-05 00:00:00" has no zone, and none was declared (--zone does)',
    ]);
    const zone = unwrap(parseZone("UTC-5"));
    expect(rowsOf(await read(at("2026-01-05 00:00:00"), { zone }))[0]?.[0]).toBe(T0 + 5 * 3_600_000);
  });

  it("that come twice when the clock is put back are told apart by their order", async () => {
    // 2026-10-25 in Zurich: 02:59:59 is followed by 02:00:00.
    const zone = unwrap(parseZone("Europe/Zurich"));
    const texts = ["01:59:59", "02:00:00", "02:30:00", "02:30:00", "02:59:59", "02:00:00", "02:30:00", "03:00:00"];
    const rows = texts.map((text, i) => `2026-10-25 ${text},1.2,1.${30 + i}`);
    const source = await read(quotesCsv(rows), { zone });
    const expected = ["23:59:59", "00:00:00", "00:30:00", "00:30:00", "00:59:59", "01:00:00", "01:30:00", "02:00:00"];
    expect(rowsOf(source).map(([time]) => new Date(time as number).toISOString().slice(11, 19))).toEqual(expected);
  });

  it("of bars that come twice when the clock is put back are an hour apart: no two bars open at once", async () => {
    const zone = unwrap(parseZone("Europe/Zurich"));
    const rows = ["01:00", "02:00", "02:00", "03:00"].map((text) => `2026-10-25 ${text},1,2,1,1.5\n`);
    const source = await read(`time,open,high,low,close\n${rows.join("")}`, { zone });
    const midnight = Date.UTC(2026, 9, 25);
    expect(rowsOf(source).map(([time]) => ((time as number) - midnight) / 3_600_000)).toEqual([-1, 0, 1, 2]);
  });

  it("of quotes an hour apart are told apart too, and where nothing tells they are counted", async () => {
    const zone = unwrap(parseZone("Europe/Zurich"));
    const midnight = Date.UTC(2026, 9, 25);
    const seen = async (...clocks: string[]) => {
      const source = await read(quotesCsv(clocks.map((text, i) => `2026-10-25 ${text},1.2,1.${30 + i}`)), { zone });
      return [rowsOf(source).map(([time]) => ((time as number) - midnight) / 60_000), source.leftOut];
    };
    expect(await seen("00:00", "01:00", "02:00", "02:00", "03:00")).toEqual([[-120, -60, 0, 60, 120], {}]);
    const doubtful = await seen("01:00", "02:05", "02:10", "02:30", "04:00");
    expect(doubtful).toEqual([[-60, 5, 10, 30, 180], { "repeated-hour": 3 }]);
  });

  it.each([
    ["a heading and colons", "Date,Time,Open,High,Low,Close", "2026-01-05,00:00:00", "2026-01-05,00:01"],
    [
      "MetaTrader's brackets",
      "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>",
      "2026.01.05\t00:00:00",
      "2026.01.05\t00:01:00",
    ],
    ["bare digits", "<TICKER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>", "X,20260105,000000", "X,20260105,000100"],
    [
      "quotes, the time of day first",
      "time,date,open,high,low,close",
      '"00:00:00.000","2026-01-05"',
      "00:01,2026-01-05",
    ],
    [
      "a time stamp that is a time of day",
      "Date,Timestamp,Open,High,Low,Close",
      "20260105,00:00:00",
      "20260105,00:01:00",
    ],
  ])("in a column of dates and one of times of day are joined: %s", async (_, header, first, second) => {
    const d = header.includes("\t") ? "\t" : ",";
    const rows = [first, second].map((time) => `${time}${d}${["1", "1.2", "0.9", "1.1"].join(d)}\r\n`);
    const zone = unwrap(parseZone("UTC-5"));
    const source = await read(`${header}\r\n${rows.join("")}`, { zone });
    expect(rowsOf(source).map(([time]) => (time as number) - T0)).toEqual([18_000_000, 18_060_000]);
  });

  it("of MetaTrader have the ticks of a bar as its volume, not the lots, which are 0 for currencies", async () => {
    const header = "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>";
    const zone = unwrap(parseZone("UTC"));
    const bars = ["00:00:00", "00:01:00"].map((time, i) => `2026.01.05\t${time}\t1\t1.2\t0.9\t1.1\t${57 + i}\t0\t3\n`);
    const volumes = rowsOf(await read(`${header}\n${bars.join("")}`, { zone })).map((row) => row.at(-1));
    expect(volumes).toEqual([57, 58]);
  });

  it("that are joined need a zone, a day of the calendar and an hour of the day", async () => {
    const table = (date: string, time: string): string => `date,bid,ask,time\r\n${date},1,2,${time}\r\n`;
    expect(await problemsOf(table("2026-01-05", "00:00"))).toEqual([
      'GBP-CHF.csv:2: zone: time "2026-01-05 00:00" has no zone, and none was declared (--zone does)',
    ]);
    expect(rowsOf(await read(table("2026-01-05", "01:00+01:00")))[0]?.[0]).toBe(T0);
    const zone = unwrap(parseZone("UTC"));
    for (const [date, time] of [
      ["2026-02-30", "00:00"],
      ["2026-01-05", "24:00"],
      ["2026-01-05", "93000"],
      ["2026-01-05", ""],
      ["", "00:00"],
    ] as const)
      expect(await problemsOf(table(date, time), { zone })).toEqual([
        `GBP-CHF.csv:2: time: a date (2026-01-31) and a time of day (12:30:05.123) must make a time, were "${date}" and "${time}"`,
      ]);
  });

  it("may stand last in a row with a Windows line end", async () => {
    const text = "bid,ask,time\r\n1.2,1.3,2026-01-05T00:00:00Z\r\n";
    expect(rowsOf(await read(text))[0]?.[0]).toBe(T0);
  });

  it("that the clock leaps over are refused", async () => {
    const zone = unwrap(parseZone("Europe/Zurich"));
    const rows = ["2026-03-29 01:59:59,1.2,1.3", "2026-03-29 02:30:00,1.2,1.3", "2026-03-29 03:00:00,1.2,1.3"];
    expect(await problemsOf(quotesCsv(rows), { zone })).toEqual([
      'GBP-CHF.csv:3: time: time "2026-03-29 02:30:00" does not exist in Europe/Zurich: the clock leapt over it',
    ]);
  });

  it("are as far from UTC as their zone says, to the minute", () => {
    const hoursFrom = (name: string): number => (T0 - unwrap(parseZone(name)).toUtc(T0)[0]) / 3_600_000;
    const zones = ["UTC", "UTC+5:30", "UTC-3:30", "UTC+14", "UTC-14", "UTC+0:59", "Asia/Kolkata", "America/New_York"];
    expect(zones.map(hoursFrom)).toEqual([0, 5.5, -3.5, 14, -14, 59 / 60, 5.5, -5]);
  });

  it("of zones nobody knows are refused", () => {
    for (const name of ["Europe/Zuerich", "UTC+14:01", "UTC-14:01", "", "UTC-5:60", "MSK", "Japan", "BST", "EST"])
      expect(parseZone(name).ok, name).toBe(false);
  });

  it("with an offset that no clock has are refused", async () => {
    for (const offset of ["+99:99", "+14:01", "-05:60"])
      expect((await problemsOf(at(`2026-01-05 00:00:00${offset}`)))[0], offset).toContain(":2: time: ");
    expect(rowsOf(await read(at("2026-01-05 14:00:00+14:00")))[0]?.[0]).toBe(T0);
  });
});

describe("a table of bars", () => {
  it("has the smallest step as the length of its bars", async () => {
    const text = `time,open,high,low,close,volume\n${T0},1,2,1,1.5,10\n${T0 + 180_000},1.5,1.6,1.4,1.5,\n${T0 + 240_000},1.5,1.6,1.4,1.5,3\n`;
    const source = await read(text);
    expect(source).toMatchObject({ kind: "bars", intervalMs: 60_000, rows: 3 });
    expect(rowsOf(source)[1]).toEqual([T0 + 180_000, 1.5, 1.6, 1.4, 1.5, NONE]);
  });

  it("of months is refused: as long as the shortest, the others would be known before they are over", async () => {
    const row = (month: number): string => `${Date.UTC(2025, month)},1,2,1,1.5\n`;
    const months = `time,open,high,low,close\n${row(0)}${row(1)}${row(2)}`;
    expect(await problemsOf(months)).toEqual([
      "GBP-CHF.csv: format: bars must be shorter than 28 days, were 28 days: months have no one length; take bars of days or weeks, or declare --interval where only the rows are so far apart",
    ]);
    expect(await read(months, { intervalMs: 86_400_000 })).toMatchObject({ intervalMs: 86_400_000, rows: 3 });
  });

  it("of one row needs its length declared, and bars closer than declared are refused", async () => {
    const text = `time,open,high,low,close\n${T0},1,2,1,1.5\n`;
    expect(await problemsOf(text)).toEqual([
      "GBP-CHF.csv: format: the length of a single bar must be declared (--interval does)",
    ]);
    expect(await read(text, { intervalMs: 60_000 })).toMatchObject({ intervalMs: 60_000 });
    const two = `${text}${T0 + 1_000},1,2,1,1.5\n`;
    expect(await problemsOf(two, { intervalMs: 60_000 })).toEqual([
      "GBP-CHF.csv: format: bars of 60000 ms must be as far apart or more, was 1000 ms",
    ]);
  });
});

/** Plain decimals of all lengths, leading zeros, exponents, and what lies around 2^53. */
function numberText(shape: number, random: ReturnType<typeof createRandom>): string {
  const digits = (count: number): string => Array.from({ length: count }, () => random.integer(0, 9)).join("");
  if (shape === 0) return digits(random.integer(1, 25));
  if (shape === 1) return `${digits(random.integer(1, 12))}.${digits(random.integer(1, 25))}`;
  if (shape === 2) return `0.${"0".repeat(random.integer(0, 20))}${digits(random.integer(1, 20))}`;
  if (shape === 3) return String(random.next() * 10 ** random.integer(-12, 12));
  if (shape === 4) return `9007199254740${random.integer(980, 999)}`;
  if (shape === 5) return `.${digits(random.integer(1, 18))}`;
  if (shape === 6) return `${random.integer(0, 9)}.${digits(5)}e${random.integer(-20, 20)}`;
  return `${digits(5)}.`;
}
