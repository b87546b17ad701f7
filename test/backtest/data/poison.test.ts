import { describe, expect, it } from "vitest";
import { BLOCK_ROWS } from "../../../backtest/data/intake.ts";
import { ROW_PROBLEMS } from "../../../backtest/data/problem.ts";
import { problemsOf, quotesCsv, read, refusalOf, rowsOf, T0 } from "./stage.ts";

const FILE = "GBP-CHF.csv";
const good = (i: number): string => `${T0 + i * 1_000},1.05${i % 10},1.06`;
/** Three good rows (lines 2 to 4), the bad one (line 5), two good ones. */
const around = (bad: string): string => quotesCsv([good(0), good(1), good(2), bad, good(4), good(5)]);
const at = (bid: string, ask = "1.06"): string => around(`${T0 + 3_000},${bid},${ask}`);
const bars = (bar: string): string =>
  `time,open,high,low,close\n${T0},1,1.2,0.9,1.1\n${bar}\n${T0 + 120_000},1,1.2,0.9,1.1\n`;

describe("a poisoned row is refused with its line and reason", () => {
  it.each([
    ["NaN", at("NaN"), '5: number: bid must be a number, was "NaN"'],
    ["infinity", at("1e999"), "5: number: bid must be a number, was Infinity"],
    ["minus infinity", at("-1e999"), '5: number: bid must be a number, was "-1e999"'],
    ["a word", at("abc"), '5: number: bid must be a number, was "abc"'],
    ["nothing", at(""), '5: number: bid must be a number, was ""'],
    ["hexadecimal", at("0x10"), '5: number: bid must be a number, was "0x10"'],
    ["two points", at("1.0.5"), '5: number: bid must be a number, was "1.0.5"'],
    ["a control character", at("1.05\u001b[2J"), '5: number: bid must be a number, was "1.05\\x1b[2J"'],
    ["zero", at("0"), "5: not-positive: bid must be above zero, was 0"],
    [
      "too large a price",
      at("1e15"),
      "5: magnitude: bid must lie between 0.000001 and 1000000000, was 1000000000000000",
    ],
    ["too small a price", at("1e-12"), "5: magnitude: bid must lie between 0.000001 and 1000000000, was 1e-12"],
    ["a negative price", at("-1.05"), "5: not-positive: bid must be above zero, was -1.05"],
    ["a crossed quote", at("1.07"), "5: crossed: bid 1.07 is above ask 1.06"],
    [
      "a bid a hundred times too large",
      at("105.1", "106"),
      "5: jump: bid leaps from 1.052 to 105.1, limit is 2 times in one row",
    ],
    [
      "a bid a hundred times too small",
      at("0.0105", "0.0106"),
      "5: jump: bid leaps from 1.052 to 0.0105, limit is 2 times in one row",
    ],
    ["an ask a hundred times too large", at("1.05", "106"), "5: wide: ask 106 is more than 2 times bid 1.05"],
    [
      "time going back",
      around(`${T0 + 1_500},1.05,1.06`),
      "5: backwards: time goes back from 2026-01-05T00:00:02.000Z to 2026-01-05T00:00:01.500Z",
    ],
    [
      "a duplicate row",
      around(good(2)),
      "5: duplicate: the same row again: 2026-01-05T00:00:02.000Z, bid 1.052, ask 1.06",
    ],
    [
      "a time that is none",
      around("yesterday,1.05,1.06"),
      '5: time: time must be a time (2026-01-31T12:30:05.123Z, 2026-01-31 12:30, 31.01.2026 12:30:05, 20260131 123005, or a number), was "yesterday"',
    ],
    [
      "the 30th of February",
      around("2026-02-30T00:00:00Z,1.05,1.06"),
      '5: time: time must be a time (2026-01-31T12:30:05.123Z, 2026-01-31 12:30, 31.01.2026 12:30:05, 20260131 123005, or a number), was "2026-02-30T00:00:00Z"',
    ],
    ...["2026-01-05T24:00:00Z", "2026-01-05T00:60:00Z", "2026-01-05T00:00:60Z", "2026-01/05T00:00:03Z"].map(
      (text): [string, string, string] => [
        text,
        around(`${text},1.05,1.06`),
        `5: time: time must be a time (2026-01-31T12:30:05.123Z, 2026-01-31 12:30, 31.01.2026 12:30:05, 20260131 123005, or a number), was "${text}"`,
      ],
    ),
    [
      "a year that nobody can have seen",
      around(`${Date.UTC(2100, 0, 1)},1.05,1.06`),
      "5: time: time must lie between 1990 and 2099, was 2100-01-01T00:00:00.000Z; where its format leaves unit and zone open, --time-unit and --zone declare them",
    ],
    [
      "seconds where milliseconds belong",
      around("1767571203,1.05,1.06"),
      "5: time: time must lie between 1990 and 2099, was 1970-01-21T10:59:31.203Z; where its format leaves unit and zone open, --time-unit and --zone declare them",
    ],
    ["too few fields", around(`${T0 + 3_000},1.05`), "5: fields: a row must have 3 fields, was 2"],
    ["too many fields", around(`${T0 + 3_000},1.05,1.06,9`), "5: fields: a row must have 3 fields, was 4"],
    ["decimal commas between commas", around(`${T0 + 3_000},1,05,1,06`), "5: fields: a row must have 3 fields, was 5"],
    ["an empty line", around(""), "5: fields: a row must have 3 fields, was empty"],
    ["a huge field", at("1".repeat(60_000)), "5: number: bid must be a number, was Infinity"],
    ["a cut in the last row", around(good(3)).slice(0, -20), "7: fields: a row must have 3 fields, was 1"],
  ])("%s", async (_, text, expected) => {
    const [line, ...others] = await problemsOf(text.endsWith("\n") ? text : `${text}\n`);
    expect(line).toBe(`${FILE}:${expected}`);
    expect(others).toEqual([]);
  });

  it("a decimal comma between semicolons", async () => {
    const text = `time;bid;ask\n${T0};1.05;1.06\n${T0 + 1};1,05;1,06\n`;
    expect(await problemsOf(text)).toEqual([
      `${FILE}:3: decimal-comma: bid has a decimal comma: "1,05"; that must be declared (--decimal-comma does)`,
    ]);
  });

  it("a negative size, and one without end", async () => {
    const sizes = (text: string): Promise<string[]> =>
      problemsOf(quotesCsv([`${T0},1,1.1,5,5`, `${T0 + 1},1,1.1,${text}`], "time,bid,ask,bidSize,askSize"));
    expect(await sizes("5,-3")).toEqual([`${FILE}:3: size: askSize must not be negative, was -3`]);
    expect(await sizes("-3,5")).toEqual([`${FILE}:3: size: bidSize must not be negative, was -3`]);
    expect(await sizes("1e999,5")).toEqual([`${FILE}:3: number: bidSize must be a number, was Infinity`]);
    const rows = [0, 1].map((i) => `${T0 + i * 60_000},1,1.2,0.9,1.1,${-i}\n`);
    expect(await problemsOf(`time,open,high,low,close,volume\n${rows.join("")}`)).toEqual([
      `${FILE}:3: size: volume must not be negative, was -1`,
    ]);
  });

  it("an ask beyond all prices, though its bid is not", async () => {
    expect(await problemsOf(quotesCsv([`${T0},900000000,950000000`, `${T0 + 1},900000000,1000000001`]))).toEqual([
      `${FILE}:3: magnitude: ask must lie between 0.000001 and 1000000000, was 1000000001`,
    ]);
  });

  it.each([
    [`${T0 + 60_000},1,0.95,0.9,1.1`, "bar: high 0.95 must be the highest of open 1, low 0.9, close 1.1"],
    [`${T0 + 60_000},1,1.2,1.05,1.1`, "bar: low 1.05 must be the lowest of open 1, close 1.1"],
    [`${T0 + 60_000},1.3,1.2,0.9,1.1`, "bar: high 1.2 must be the highest of open 1.3, low 0.9, close 1.1"],
    [`${T0 + 60_000},1.1,1.2,1.05,1`, "bar: low 1.05 must be the lowest of open 1.1, close 1"],
    [
      `${T0 - 60_000},1,1.2,0.9,1.1`,
      "backwards: time goes back from 2026-01-05T00:00:00.000Z to 2026-01-04T23:59:00.000Z",
    ],
    [`${T0 + 60_000},0.01,0.012,0.009,0.011`, "jump: open leaps from 1.1 to 0.01, limit is 2 times in one row"],
    [`${T0},1,1.2,0.9,1.1`, "duplicate: a second bar of 2026-01-05T00:00:00.000Z"],
    [`${T0 + 60_000},100,120,90,110`, "jump: open leaps from 1.1 to 100, limit is 2 times in one row"],
    [`${T0 + 60_000},1,120,0.9,1.1`, "jump: high 120 is more than 2 times low 0.9"],
    [`${T0 + 60_000},1,NaN,0.9,1.1`, 'number: high must be a number, was "NaN"'],
  ])("a bar %s", async (bar, expected) => {
    expect(await problemsOf(bars(bar))).toEqual([`${FILE}:3: ${expected}`]);
  });
});

describe("a poisoned file is refused", () => {
  const cut = around(good(3));

  it.each([
    ["that is empty", "", `${FILE}: empty: the file is empty`],
    ["of a header alone", "time,bid,ask\n", `${FILE}: empty: there is no row of data in it`],
    [
      "without a header",
      `${good(0)}\n`,
      `${FILE}:1: columns: columns must be time, bid, ask (bidSize, askSize) or time, open, high, low, close (volume), was "${good(0)}"; give it a header line, or import it by its --format (ecb, kraken-ohlcvt, kraken-trades, binance-klines, dukascopy-json, dukascopy-csv, ccxt, histdata, truefx)`,
    ],
    ["without an ask", `time,bid\n${T0},1\n`, `${FILE}:1: columns: quotes need the column ask, was "time,bid"`],
    [
      "without a close",
      `time,open,high,low\n${T0},1,1,1\n`,
      `${FILE}:1: columns: bars need the column close, was "time,open,high,low"`,
    ],
    [
      "of dates and times of day, without a close",
      "date,time,open,high,low\n2026-01-05,00:00,1,1,1\n",
      `${FILE}:1: columns: bars need the column close, was "date,time,open,high,low"`,
    ],
    [
      "with a column twice",
      `time,bid,bid,ask\n${T0},1,1,2\n`,
      `${FILE}:1: columns: the column bid must stand there once, was "bid" and "bid" of "time,bid,bid,ask"; give what should be left alone another name in the header (x-bid)`,
    ],
    [
      "with two whole times",
      `timestamp,datetime,bid,ask\n${T0},2026-01-05T00:00:00Z,1,2\n`,
      `${FILE}:1: columns: the column time must stand there once, was "timestamp" and "datetime" of "timestamp,datetime,bid,ask"; give what should be left alone another name in the header (x-datetime)`,
    ],
    [
      "with three times",
      `date,time,timestamp,bid,ask\n2026-01-05,00:00,${T0},1,2\n`,
      `${FILE}:1: columns: the column time must stand there once, was "date" and "time" and "timestamp" of "date,time,timestamp,bid,ask"; give what should be left alone another name in the header (x-timestamp)`,
    ],
    [
      "with a date beside a whole time",
      `timestamp,date,bid,ask\n${T0},2026-01-05,1,2\n`,
      `${FILE}:2: time: a date (2026-01-31) and a time of day (12:30:05.123) must make a time, were "2026-01-05" and "${T0}"`,
    ],
    [
      "with a time of day beside a whole time",
      `date,time,bid,ask\n2026-01-05 00:00:01,00:00:01,1,2\n`,
      `${FILE}:2: time: a date (2026-01-31) and a time of day (12:30:05.123) must make a time, were "2026-01-05 00:00:01" and "00:00:01"`,
    ],
    [
      "cut in mid-row",
      cut.slice(0, -3),
      `${FILE}:7: open-end: the last row has no line end: the file may have been cut here`,
    ],
    [
      "cut in mid-field",
      cut.slice(0, -1),
      `${FILE}:7: open-end: the last row has no line end: the file may have been cut here`,
    ],
    ["in UTF-16", Buffer.from(`\ufeff${cut}`, "utf16le"), `${FILE}:1: encoding: text must be UTF-8, was UTF-16`],
    [
      "with bytes that are not UTF-8",
      Buffer.concat([Buffer.from(quotesCsv([good(0)])), Buffer.from([0xff, 0xfe, 10])]),
      `${FILE}:3: encoding: text must be UTF-8`,
    ],
    [
      "with a line that never ends",
      Buffer.concat([Buffer.from(quotesCsv([good(0)])), Buffer.alloc(3_000_000, "1")]),
      `${FILE}:3: line-length: a line must be shorter than 65536 bytes`,
    ],
  ])("%s", async (_, content, expected) => {
    expect((await problemsOf(content))[0]).toBe(expected);
  });

  it("with every bad row counted and the first hundred named", async () => {
    const rows = Array.from({ length: 1_000 }, (_, i) => (i % 2 === 0 ? good(i) : `${T0 + i * 1_000},2.9,1.06`));
    const { problems, counts } = await refusalOf(quotesCsv(rows));
    expect(counts).toEqual({ crossed: 500 });
    expect(problems).toHaveLength(100);
    expect(problems[0]?.line).toBe(3);
  });

  it("when the first row alone is bad, and when the bad row is the last of a block", async () => {
    expect(await problemsOf(quotesCsv([`${T0},2,1`]))).toEqual([`${FILE}:2: crossed: bid 2 is above ask 1`]);
    const rows = Array.from({ length: 65_537 }, (_, i) => `${T0 + i},1.05,${i >= 65_535 ? "1.04" : "1.06"}`);
    const lines = await problemsOf(quotesCsv(rows));
    expect(lines.map((line) => line.split(":")[1])).toEqual(["65537", "65538"]);
  });
});

describe("a tolerated row", () => {
  it("is left out and counted, and the rest stays in order", async () => {
    const rows = [good(0), `${T0 + 500},2,1`, good(1), good(1), "x,1,2", good(2)];
    const source = await read(quotesCsv(rows), { tolerate: ["crossed", "duplicate", "time"] });
    expect(rowsOf(source).map(([time]) => time)).toEqual([T0, T0 + 1_000, T0 + 2_000]);
    expect(source.leftOut).toEqual({ crossed: 1, duplicate: 1, time: 1 });
  });

  it("of one kind does not excuse another", async () => {
    const rows = [good(0), `${T0 + 500},2,1`, `${T0 + 600},-1,1`];
    expect(await problemsOf(quotesCsv(rows), { tolerate: ["crossed"] })).toEqual([
      `${FILE}:4: not-positive: bid must be above zero, was -1`,
    ]);
  });

  it("is kept when it is only the last one without a line end", async () => {
    const source = await read(quotesCsv([good(0), good(1)]).slice(0, -1), { tolerate: ["open-end"] });
    expect(source.rows).toBe(2);
    expect(source.leftOut).toEqual({ "open-end": 1 });
  });

  it("does not make a file of bad rows alone usable", async () => {
    expect(await problemsOf(quotesCsv([`${T0},2,1`]), { tolerate: ROW_PROBLEMS })).toEqual([
      `${FILE}: empty: there is no row of data in it`,
    ]);
  });
});

it("two different quotes of the same millisecond are no duplicate", async () => {
  const source = await read(quotesCsv([`${T0},1.05,1.06`, `${T0},1.05,1.07`, `${T0},1.05,1.06`]));
  expect(source.rows).toBe(3);
});

describe("one wrong row does not cost the rows after it", () => {
  const [first, ...later] = Array.from({ length: 40 }, (_, i) => good(i)) as [string, ...string[]];
  const future = `${T0 + 500 + 18 * 365 * 86_400_000},1.05,1.06`;

  it("where it is a mistyped year or a first price: its line is named, and nothing is tolerated", async () => {
    const rest = (line: number, row: string) =>
      `${FILE}: rest: the last ${line === 3 ? 39 : 40} rows would all be left out behind line ${line} (${row}), and ${line - 1} be kept: mend or remove what is wrong there`;
    const year = quotesCsv([first, future, ...later]);
    expect((await problemsOf(year))[0]).toBe(
      `${FILE}:4: backwards: time goes back from 2044-01-01T00:00:00.500Z to 2026-01-05T00:00:01.000Z`,
    );
    expect(await problemsOf(year, { tolerate: ["backwards"] })).toEqual([rest(3, "2044-01-01T00:00:00.500Z, 1.05")]);
    const price = quotesCsv([`${T0 - 1},105,106`, first, ...later]);
    expect(await problemsOf(price, { tolerate: ["jump"] })).toEqual([rest(2, "2026-01-04T23:59:59.999Z, 105")]);
  });

  it("where it leaps and the next row does not: it is left out", async () => {
    const text = quotesCsv([first, `${T0 + 500},105,106`, ...later]);
    const kept = await read(text, { tolerate: ["jump"] });
    expect([kept.rows, kept.leftOut]).toEqual([40, { jump: 1 }]);
  });

  it("where it cannot be told which it is, nothing is tolerated", async () => {
    const doubled = later.slice(5).map((row) => row.replace("1.05", "3.05").replace("1.06", "3.06"));
    const text = quotesCsv([first, ...later.slice(0, 5), ...doubled]);
    expect(await problemsOf(text, { tolerate: ["jump"] })).toEqual([
      `${FILE}: rest: the last 34 rows would all be left out behind line 7 (2026-01-05T00:00:05.000Z, 1.055), and 6 be kept: mend or remove what is wrong there`,
    ]);
  });
});

it.each([1, 2])(
  "one wrong row costs no row after it where it is row %i from the end of a block: it is named",
  async (fromEnd) => {
    const wrong = BLOCK_ROWS - fromEnd;
    const future = `${T0 + 18 * 365 * 86_400_000},1.05,1.06`;
    const text = quotesCsv(Array.from({ length: BLOCK_ROWS + 20 }, (_, i) => (i === wrong ? future : good(i))));
    expect(await problemsOf(text, { tolerate: ["backwards"] })).toEqual([
      expect.stringContaining(
        `rest: the last ${19 + fromEnd} rows would all be left out behind line ${wrong + 2} (2044-`,
      ),
    ]);
  },
);

it("a line that is too long is refused wherever it ends", async () => {
  const text = quotesCsv([`${T0},1.05,1.06,${"x".repeat(70_000)}`, `${T0 + 1},1.05,1.06,x`], "time,bid,ask,note");
  expect(await problemsOf(text)).toEqual([`${FILE}:2: line-length: a line must be shorter than 65536 bytes`]);
});
