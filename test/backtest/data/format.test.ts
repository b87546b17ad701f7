import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { FORMAT_NAMES, notTaken } from "../../../backtest/data/format/format.ts";
import { FORMATS } from "../../../backtest/data/format/formats.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { GBPCHF, problemsOf, read, rowsOf, T0 } from "./stage.ts";

const NONE = Number.NaN;
const HOUR = 3_600_000;
const iso = (time: number | undefined): string => new Date(time as number).toISOString();

it("every format is known by its own name", () => {
  expect(FORMAT_NAMES.map((name) => FORMATS[name].name)).toEqual([...FORMAT_NAMES]);
});

it("what a format does not leave open cannot be declared, nor a file of an archive that is none", () => {
  const declared = { symbol: GBPCHF, pricePer: 10, sizeTimes: 2, delimiter: ";", timeUnit: "s", entry: "a" } as const;
  const flags = (name: (typeof FORMAT_NAMES)[number], path: string) =>
    notTaken(declared, [{ path, format: FORMATS[name] }]);
  expect(flags("ecb", "x.zip")).toEqual(["--size-times", "--delimiter", "--time-unit"]);
  expect(flags("csv", "x.csv")).toEqual(["--entry"]);
  expect(flags("csv", "x.csv.zip")).toEqual([]);
  expect(notTaken(declared, [{ path: "x.columns", format: undefined }])).toContain("--price-per");
});

describe("prices that are declared as multiples of what they are", () => {
  const rates = "Date,USD,GBP\n2026-07-01,120,0.8\n";
  const start = { timestamp: T0, multiplier: 1e-2, times: [5] };
  const ticks = { ...start, bid: 120, ask: 121, bids: [0], asks: [0], bidVolumes: [10] };
  const [open, high, low, close] = [120, 140, 100, 130];
  const lists = { opens: [0], highs: [0], lows: [0], closes: [0], volumes: [10] };
  const candles = { ...start, open, high, low, close, ...lists };
  const bars = [1.2, 1.4, 1, 1.3];

  it.each([
    ["ecb", rates, "EUR/USD", [1.2, 1.2, NONE, NONE]],
    ["dukascopy-json", JSON.stringify(ticks), "GBP/JPY", [1.2, 1.21, 30, NONE]],
    ["dukascopy-json", JSON.stringify(candles), "GBP/JPY", [...bars, 30]],
    [
      "dukascopy-json",
      JSON.stringify([{ timestamp: T0, open, high, low, close, volume: 10 }]),
      "GBP/JPY",
      [...bars, 30],
    ],
    ["ccxt", JSON.stringify([[T0, open, high, low, close, 10]]), "GBP/JPY", [...bars, 30]],
    ["binance-klines", `${T0},120,140,100,130,10,0,0,0,0,0,0\n`, "GBP/JPY", [...bars, 30]],
    ["kraken-ohlcvt", `${T0 / 1_000},120,140,100,130,10,7\n`, "GBP/JPY", [...bars, 30]],
    ["kraken-trades", `${T0 / 1_000},120,10\n`, "GBP/JPY", [1.2, 1.2, NONE, NONE]],
    ["histdata", "20260105 000000;120;140;100;130;0\n", "GBP/JPY", [...bars, NONE]],
    ["truefx", "GBP/JPY,20260105 00:00:00.123,120,121\n", "GBP/JPY", [1.2, 1.21, NONE, NONE]],
  ] as const)("are what they are, and sizes too: %s", async (format, text, symbol, expected) => {
    const declared = { symbol: symbol as PairSymbol, pricePer: 100, sizeTimes: 3, intervalMs: 60_000 };
    const [row] = rowsOf(await read(text, declared, FORMATS[format]));
    expect(row?.slice(1)).toEqual(expected);
  });
});

describe("ecb", () => {
  const history = [
    "Date,USD,GBP,CHF,XAU,",
    "2026-07-02,1.17,0.86,0.935,N/A,",
    "2026-07-01,1.18,0.85,0.93,N/A,",
    "2026-01-02,1.1,0.8,N/A,N/A,",
    "",
  ].join("\n");
  const series = [
    "KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS",
    "EXR.D.CHF.EUR.SP00.A,D,CHF,EUR,SP00,A,2026-07-01,0.93,A",
    "EXR.D.CHF.EUR.SP00.A,D,CHF,EUR,SP00,A,2026-07-02,0.935,A",
    "",
  ].join("\n");

  it("gives crosses of rates at the hour of their publication, oldest first, and counts days without one", async () => {
    const source = await read(history, {}, FORMATS.ecb);
    expect(rowsOf(source)).toEqual([
      [Date.UTC(2026, 6, 1, 14), 0.93 / 0.85, 0.93 / 0.85, NONE, NONE],
      [Date.UTC(2026, 6, 2, 14), 0.935 / 0.86, 0.935 / 0.86, NONE, NONE],
    ]);
    expect(source.leftOut).toEqual({ absent: 1 });
  });

  it("knows winter time, the euro itself, and an assumed spread", async () => {
    const declared = { symbol: "EUR/USD" as PairSymbol, halfSpreadBps: 1 };
    const [first] = rowsOf(await read(history, declared, FORMATS.ecb));
    expect(first).toEqual([Date.UTC(2026, 0, 2, 15), 1.1 * 0.9999, 1.1 * 1.0001, NONE, NONE]);
  });

  it("reads the series of the data portal too", async () => {
    const source = await read(series, { symbol: "EUR/CHF" as PairSymbol }, FORMATS.ecb);
    expect(rowsOf(source).map(([, bid]) => bid)).toEqual([0.93, 0.935]);
  });

  it("comes in a zip archive, which must be whole", async () => {
    const archive = zip("eurofxref-hist.csv", history);
    expect((await read(archive, {}, FORMATS.ecb, "eurofxref-hist.zip")).rows).toBe(2);
    const two = zip("a.csv", history, "b.csv", history);
    expect((await problemsOf(two, {}, FORMATS.ecb, "x.zip"))[0]).toContain('one must be named, was 2: "a.csv, b.csv"');
    expect((await read(two, { entry: "b.csv" }, FORMATS.ecb, "x.zip")).rows).toBe(2);
    const changed = Buffer.from(archive);
    changed.writeUInt32LE(7, archive.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 16);
    expect(await problemsOf(changed, {}, FORMATS.ecb, "x.zip")).toEqual([
      "x.zip: format: the file in the zip archive does not match its checksum",
    ]);
    for (const damaged of [archive.subarray(0, 100), Buffer.from("PK"), archive.subarray(20)])
      expect((await problemsOf(damaged, {}, FORMATS.ecb, "x.zip"))[0]).toMatch(/^x\.zip: format: /);
  });

  it("refuses a currency it does not have, a second rate of a day, and a word", async () => {
    const symbol = "GBP/SEK" as PairSymbol;
    expect(await problemsOf(history, { symbol }, FORMATS.ecb, "h.csv")).toEqual([
      "h.csv:1: columns: the file has no column SEK",
    ]);
    const twice = history.replace("2026-07-01", "2026-07-02");
    expect((await problemsOf(twice, {}, FORMATS.ecb, "h.csv"))[0]).toBe(
      "h.csv:3: duplicate: a second rate of GBP for 2026-07-02",
    );
    expect((await problemsOf(history.replace("2026-01-02", "2026-02-30"), {}, FORMATS.ecb, "h.csv"))[0]).toBe(
      'h.csv:4: time: a day must look like 2026-01-31, was "2026-02-30"',
    );
    expect(await problemsOf(history.replace("0.935", "x"), {}, FORMATS.ecb, "h.csv")).toEqual([
      'h.csv:2: number: a rate must be a number, was "x"',
    ]);
  });

  it.each([
    ["", "empty: the file is empty"],
    ["Day,GBP,CHF\n2026-07-01,0.8,0.9\n", 'h.csv:1: columns: the first column must be Date, was "Day"'],
    ["Date,GBP,CHF\n2026-07-01,0.8\n2026-07-02,0.8,0.9\n", "h.csv:2: fields: a row must have 3 fields, was 2"],
    [series.replace("CURRENCY_DENOM", "X"), "h.csv:1: columns: the file has no column CURRENCY_DENOM"],
    [series.replace("CHF,EUR,", "CHF,USD,"), 'h.csv:2: fields: a row must be a rate against EUR, was "EXR.D.CHF.EUR'],
    [series.replace(",0.935,A", ""), 'h.csv:3: fields: a row must be a rate against EUR, was "EXR.D.CHF.EUR'],
  ])("refuses what is no such file: %j", async (text, expected) => {
    const problems = await problemsOf(text, {}, FORMATS.ecb, "h.csv");
    expect(problems).toEqual([expect.stringContaining(expected)]);
  });

  it("leaves out the rows that are tolerated, and takes files of any line ends and columns in any order", async () => {
    const text = "Date, GBP, CHF\r\n2026-07-01,0.8\r\n2026-07-02, 0.8,0.9\r\n";
    const source = await read(text, { tolerate: ["fields"] }, FORMATS.ecb);
    expect([rowsOf(source).map(([, bid]) => bid), source.leftOut]).toEqual([[0.9 / 0.8], { fields: 1 }]);
    const turned =
      "CURRENCY,CURRENCY_DENOM,TIME_PERIOD,OBS_VALUE\nCHF,USD,2026-07-01,0.8\nCHF,EUR,2026-07-01,0.93\nCHF,EUR,2026-07-02\n";
    const declared = { symbol: "EUR/CHF" as PairSymbol, tolerate: ["fields" as const] };
    const series2 = await read(turned, declared, FORMATS.ecb);
    expect([rowsOf(series2).map(([, bid]) => bid), series2.leftOut]).toEqual([[0.93], { fields: 2 }]);
  });
});

it("a gzip file that is cut or is none is refused", async () => {
  const packed = gzipSync("time,bid,ask\n".repeat(1_000));
  for (const damaged of [packed.subarray(0, packed.length - 5), Buffer.from("time,bid,ask\n")])
    expect((await problemsOf(damaged, {}, FORMATS.csv, "x.csv.gz"))[0]).toMatch(
      /^x\.csv\.gz: format: the packed file is damaged or cut: /,
    );
});

describe("kraken", () => {
  const bars = `${T0 / 1_000},1.1,1.2,1.0,1.15,3000,12\n${T0 / 1_000 + 600},1.15,1.2,1.1,1.12,50.5,3\n`;

  it("gives bars as long as declared, with intervals missing", async () => {
    const source = await read(bars, { intervalMs: 300_000 }, FORMATS["kraken-ohlcvt"], "GBPCHF_5.csv");
    expect(source).toMatchObject({ kind: "bars", intervalMs: 300_000 });
    expect(rowsOf(source)[1]).toEqual([T0 + 600_000, 1.15, 1.2, 1.1, 1.12, 50.5]);
  });

  it("gives one quote for trades of the same time and price, and refuses the same trade twice", async () => {
    const at = T0 / 1_000;
    const trades = `${at},1.1,0.1\n${at},1.1,0.2\n${at},1.2,0.3\n${at},1.1,0.2\n${at + 1},1.1,0.4\n`;
    const source = await read(trades, { halfSpreadBps: 0 }, FORMATS["kraken-trades"]);
    expect(rowsOf(source).map(([, bid]) => bid)).toEqual([1.1, 1.2, 1.1, 1.1]);
    expect(source.leftOut).toEqual({ repeated: 1 });
    const twice = `${trades}${at + 1},1.1,0.4\n`;
    expect(await problemsOf(twice, { halfSpreadBps: 0 }, FORMATS["kraken-trades"], "k.csv")).toEqual([
      "k.csv:6: duplicate: the same row again: 2026-01-05T00:00:01.000Z, bid 1.1, ask 1.1",
    ]);
  });

  it("gives trades as quotes around the price, as far as declared", async () => {
    const trades = `${T0 / 1_000}.1234,1.1,500\n${T0 / 1_000 + 1},1.2,1\n`;
    const source = await read(trades, { halfSpreadBps: 10 }, FORMATS["kraken-trades"]);
    expect(rowsOf(source)).toEqual([
      [T0 + 123, 1.1 * 0.999, 1.1 * 1.001, NONE, NONE],
      [T0 + 1_000, 1.2 * 0.999, 1.2 * 1.001, NONE, NONE],
    ]);
  });
});

it("binance's klines have no header, and as many digits as their unit", async () => {
  const row = (at: number) => `${at},1.1,1.3,1.0,1.2,50.5,${at},1,2,3,4,0\n`;
  const read5 = (text: string) =>
    read(text, { intervalMs: 300_000 }, FORMATS["binance-klines"], "GBPUSDT-5m-2026-01.csv");
  const micros = await read5(row(T0 * 1_000) + row((T0 + 600_000) * 1_000));
  expect(micros).toMatchObject({ kind: "bars", intervalMs: 300_000 });
  expect(rowsOf(micros)[1]).toEqual([T0 + 600_000, 1.1, 1.3, 1, 1.2, 50.5]);
  expect(rowsOf(await read5(row(T0)))[0]?.[0]).toBe(T0);
  const headed = `open_time,open,high,low,close,volume,close_time,a,b,c,d,ignore\n${row(T0)}`;
  expect(rowsOf(await read5(headed))[0]?.[0]).toBe(T0);
  expect((await problemsOf(row(T0), {}, FORMATS.csv, "b.csv"))[0]).toContain(
    "give it a header line, or import it by its --format (ecb",
  );
});

describe("dukascopy", () => {
  const ticks = {
    timestamp: T0,
    multiplier: 1e-5,
    ask: 1.14277,
    bid: 1.14273,
    times: [93, 104, 0],
    asks: [0, -2, 3],
    bids: [0, -2, 1],
    askVolumes: [1_800_000, 900_000, 900_000],
    bidVolumes: [2_700_000, 1, 2],
  };

  const bars = {
    ...{ timestamp: T0, multiplier: 1e-3, times: [0], open: 1.1, high: 1.3, low: 1, close: 1.2 },
    ...{ opens: [0], highs: [0], lows: [0], closes: [0] },
  };

  it("refuses prices in units of more than one", async () => {
    const coarse = JSON.stringify({ ...bars, multiplier: 2 });
    expect((await problemsOf(coarse, {}, FORMATS["dukascopy-json"], "t.json"))[0]).toContain("multiplier");
  });

  it("steps of ticks are in units of the shift, and prices in the nearest whole number of units", async () => {
    // As a float 1.13 * 100 is below 113.
    const shifted = { ...ticks, shift: 1_000, multiplier: 1e-2, bid: 1.13, ask: 1.15 };
    const rows = rowsOf(await read(JSON.stringify(shifted), {}, FORMATS["dukascopy-json"]));
    expect(rows.map(([time, bid]) => [time, bid])).toEqual([
      [T0 + 93_000, 1.13],
      [T0 + 197_000, 1.11],
      [T0 + 197_000, 1.12],
    ]);
  });

  it("gives ticks of deltas as the prices they stand for", async () => {
    const source = await read(JSON.stringify(ticks), {}, FORMATS["dukascopy-json"]);
    expect(rowsOf(source)).toEqual([
      [T0 + 93, 1.14273, 1.14277, 2_700_000, 1_800_000],
      [T0 + 197, 1.14271, 1.14275, 1, 900_000],
      [T0 + 197, 1.14272, 1.14278, 2, 900_000],
    ]);
  });

  it("gives candles of deltas", async () => {
    const data = {
      timestamp: T0,
      multiplier: 1e-3,
      shift: 60_000,
      times: [0, 1, 2],
      open: 185.1,
      high: 185.2,
      low: 185,
      close: 185.15,
    };
    const lists = { opens: [0, 1, 1], highs: [0, 1, 1], lows: [0, 1, 1], closes: [0, 1, 1], volumes: [5, 6, 7] };
    const source = await read(JSON.stringify({ ...data, ...lists }), {}, FORMATS["dukascopy-json"]);
    expect(source).toMatchObject({ kind: "bars", intervalMs: 60_000 });
    expect(rowsOf(source)[2]).toEqual([T0 + 180_000, 185.102, 185.202, 185.002, 185.152, 7]);
  });

  it("gives the rows of dukascopy-node's JSON, volumes in millions", async () => {
    const tick = { timestamp: T0, askPrice: 1.1001, bidPrice: 1.1, askVolume: 1.5, bidVolume: 0.75 };
    const source = await read(JSON.stringify([tick, { ...tick, timestamp: T0 + 5 }]), {}, FORMATS["dukascopy-json"]);
    expect(rowsOf(source)[1]).toEqual([T0 + 5, 1.1, 1.1001, 750_000, 1_500_000]);
    const bar = { timestamp: T0, open: 1.1, high: 1.3, low: 1, close: 1.2 };
    const bars = await read(JSON.stringify([bar, { ...bar, timestamp: T0 + 60_000 }]), {}, FORMATS["dukascopy-json"]);
    expect(rowsOf(bars)[0]).toEqual([T0, 1.1, 1.3, 1, 1.2, NONE]);
    expect((await problemsOf('[{"timestamp":1}]', {}, FORMATS["dukascopy-json"], "d.json"))[0]).toContain(
      "or be a list of rows with timestamp, askPrice and bidPrice",
    );
  });

  it("gives what Dukascopy's site exports, in UTC or with the offset that stands there", async () => {
    const gmt = "Gmt time,Ask,Bid,AskVolume,BidVolume\n05.01.2026 00:00:00.123,1.1001,1.1,1.5,0.75\n";
    expect(rowsOf(await read(gmt, {}, FORMATS["dukascopy-csv"]))).toEqual([
      [T0 + 123, 1.1, 1.1001, 750_000, 1_500_000],
    ]);
    const local = "Local time,Open,High,Low,Close,Volume\n05.01.2026 01:00:00.000 GMT+0100,1.1,1.3,1,1.2,2\n";
    const source = await read(local, { intervalMs: 60_000 }, FORMATS["dukascopy-csv"]);
    expect(rowsOf(source)).toEqual([[T0, 1.1, 1.3, 1, 1.2, 2_000_000]]);
    const unsaid = local.replace(" GMT+0100", "");
    expect((await problemsOf(unsaid, { intervalMs: 60_000 }, FORMATS["dukascopy-csv"], "d.csv"))[0]).toBe(
      'd.csv:2: zone: time "05.01.2026 01:00:00.000" has no zone, under "Local time" each must name its own; import it by --format csv with --zone and --size-times 1000000',
    );
    expect((await problemsOf(gmt.replace("05.01", "05.13"), {}, FORMATS["dukascopy-csv"], "d.csv"))[0]).toMatch(
      /^d\.csv:2: time: time must be a time \(2026-01-31T12:30:05\.123Z, .*\), was "05\.13\.2026 00:00:00\.123"$/,
    );
  });

  it("refuses lists of different lengths, and a crossed tick by its row", async () => {
    const short = JSON.stringify({ ...ticks, bids: [0] });
    expect(await problemsOf(short, {}, FORMATS["dukascopy-json"], "t.json")).toEqual([
      "t.json: format: bids must be as many as times, 3, was 1",
    ]);
    expect(
      await problemsOf(JSON.stringify({ ...ticks, bidVolumes: [1] }), {}, FORMATS["dukascopy-json"], "t.json"),
    ).toEqual(["t.json: format: bidVolumes must be as many as times, 3, was 1"]);
    const shorter = { ...bars, lows: [] };
    expect(await problemsOf(JSON.stringify(shorter), {}, FORMATS["dukascopy-json"], "t.json")).toEqual([
      "t.json: format: lows must be as many as times, 1, was 0",
    ]);
    const listed = [{ timestamp: T0, askPrice: 1.1, bidPrice: 1.2 }];
    expect((await problemsOf(JSON.stringify(listed), {}, FORMATS["dukascopy-json"], "t.json"))[0]).toBe(
      "t.json: row 1: crossed: bid 1.2 is above ask 1.1",
    );
    const high = JSON.stringify({ ...bars, highs: [-1_000] });
    expect((await problemsOf(high, { intervalMs: 60_000 }, FORMATS["dukascopy-json"], "t.json"))[0]).toMatch(
      /^t\.json: row 1: /,
    );
    const crossed = JSON.stringify({ ...ticks, asks: [0, -9, 0] });
    expect((await problemsOf(crossed, {}, FORMATS["dukascopy-json"], "t.json"))[0]).toBe(
      "t.json: row 2: crossed: bid 1.14271 is above ask 1.14268",
    );
  });

  it("gives the CSV of dukascopy-node with volumes in base units", async () => {
    const text = `timestamp,askPrice,bidPrice,askVolume,bidVolume\n${T0},1.14277,1.14273,1.8,0.9\n`;
    expect(rowsOf(await read(text, {}, FORMATS["dukascopy-csv"]))).toEqual([
      [T0, 1.14273, 1.14277, 900_000, 1_800_000],
    ]);
  });
});

describe("ccxt", () => {
  it("gives candles, with an unknown volume where it is null", async () => {
    const text = JSON.stringify([
      [T0, 1, 1.2, 0.9, 1.1, 5],
      [T0 + HOUR, 1.1, 1.2, 1, 1.1, null],
    ]);
    const source = await read(text, {}, FORMATS.ccxt);
    expect(source).toMatchObject({ kind: "bars", intervalMs: HOUR });
    expect(rowsOf(source)[1]).toEqual([T0 + HOUR, 1.1, 1.2, 1, 1.1, NONE]);
  });

  it("takes times in the unit that is declared", async () => {
    const text = JSON.stringify([[T0 / 1_000, 1, 1.2, 0.9, 1.1, 5]]);
    const source = await read(text, { timeUnit: "s", intervalMs: HOUR }, FORMATS.ccxt);
    expect(rowsOf(source)[0]?.[0]).toBe(T0);
  });

  it.each([
    ["{}", "ccxt.json: format: candles must be a list of"],
    ["[[1,2]]", "ccxt.json: format: candles must be a list of"],
    [`[[${T0},1,1.2,0.9,"1.1",5]]`, "ccxt.json: format: candles must be a list of"],
    [`[[${T0},1,1.2,0.9,null,5]]`, "ccxt.json: row 1: number: close must be a number, was NaN"],
    ["[[", "ccxt.json: format: it must be JSON"],
    ["", "ccxt.json: empty: the file is empty"],
  ])("refuses %s", async (text, expected) => {
    expect((await problemsOf(text, {}, FORMATS.ccxt, "ccxt.json"))[0]).toContain(expected);
  });
});

describe("histdata", () => {
  it("gives minute bars in UTC, summer and winter five hours later", async () => {
    const text =
      "20260105 000000;1.25;1.26;1.24;1.25;0\n20260105 000100;1.25;1.26;1.24;1.25;0\n20260701 120000;1.25;1.26;1.24;1.25;0\n";
    const source = await read(text, {}, FORMATS.histdata);
    expect(source).toMatchObject({ kind: "bars", intervalMs: 60_000 });
    expect(rowsOf(source).map(([time]) => iso(time))).toEqual([
      "2026-01-05T05:00:00.000Z",
      "2026-01-05T05:01:00.000Z",
      "2026-07-01T17:00:00.000Z",
    ]);
    expect(rowsOf(source)[0]?.[5]).toBe(NONE);
  });

  it("gives ticks with milliseconds", async () => {
    const source = await read("20260105 000003660,1.25,1.2501,0\n", {}, FORMATS.histdata);
    expect(rowsOf(source)).toEqual([[T0 + 5 * HOUR + 3_660, 1.25, 1.2501, NONE, NONE]]);
  });
});

describe("truefx", () => {
  it("gives ticks of the declared pair and refuses another", async () => {
    const text = "GBP/CHF,20260105 00:00:00.123,1.25,1.2501\nGBP/USD,20260105 00:00:01.000,1.25,1.2501\n";
    expect(await problemsOf(text, {}, FORMATS.truefx, "t.csv")).toEqual([
      't.csv:2: fields: field 1 must be "GBP/CHF", was "GBP/USD"',
    ]);
    const source = await read(text, { tolerate: ["fields"] }, FORMATS.truefx);
    expect(rowsOf(source)).toEqual([[T0 + 123, 1.25, 1.2501, NONE, NONE]]);
  });
});

/** Names and contents in turns; deflated, and with the times and remarks that programs put beside a name. */
function zip(...files: string[]): Buffer {
  const [own, extra, remark] = [Buffer.alloc(9, 1), Buffer.from([1, 99, 1, 0, 2]), Buffer.from("hi!")];
  const parts: Buffer[] = [];
  const listed: Buffer[] = [];
  let offset = 0;
  for (let i = 0; i < files.length; i += 2) {
    const name = Buffer.from(files[i] as string);
    const packed = deflateRawSync(files[i + 1] as string);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt16LE(name.length, 26);
    local.writeUInt16LE(own.length, 28);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(crc32(files[i + 1] as string), 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(Buffer.byteLength(files[i + 1] as string), 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt16LE(extra.length, 30);
    entry.writeUInt16LE(remark.length, 32);
    entry.writeUInt32LE(offset, 42);
    parts.push(local, name, own, packed);
    listed.push(entry, name, extra, remark);
    offset += 30 + name.length + own.length + packed.length;
  }
  const directory = Buffer.concat(listed);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length / 2, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}
