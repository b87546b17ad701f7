// Formats that are one JSON document: ccxt candles, Dukascopy's v1 (a start, and deltas from row to row in units of
// `multiplier`, so that sums stay integers), and the list of rows that dukascopy-node makes of it.

import { z } from "zod";
import { complaintsOf } from "../../../src/domain/schema-complaint.ts";
import { type Format, type Input, MILLION, priceScale, sizeScale, TIME_UNITS } from "./format.ts";

const BYTES_MAX = 256 << 20;
const JSON_FORMAT = { unit: "row", zone: "own", halfSpread: "none" } as const;

const CCXT_RULE = "candles must be a list of [ms, open, high, low, close, volume]";
const ccxtCandles = z.array(z.array(z.number().nullable()).min(5).max(6));

/** The output of fetchOHLCV. */
export const ccxt: Format = {
  ...JSON_FORMAT,
  name: "ccxt",
  title: "candles of ccxt's fetchOHLCV as JSON: [[ms, open, high, low, close, volume], ...]",
  takes: ["timeUnit", "sizeTimes", "intervalMs", "entry"],
  async read(input) {
    const rows = await readJson(input, ccxtCandles, CCXT_RULE);
    const add = rowAdder(input, "bars", 4);
    const timeFactor = TIME_UNITS[input.declared.timeUnit ?? "ms"];
    for (const [time, ...values] of rows)
      add(Math.floor((time ?? Number.NaN) * timeFactor), values as readonly (number | undefined)[]);
  },
};

const DUKASCOPY_RULE =
  "dukascopy's JSON must have timestamp, multiplier, a first price and lists of deltas, or be a list of rows with " +
  "timestamp, askPrice and bidPrice, or timestamp, open, high, low and close";
const number = z.number();
const deltas = z.array(number);
const common = {
  timestamp: number,
  multiplier: number.positive().max(1),
  /** Time steps are in units of this many milliseconds. */
  shift: number.positive().default(1),
  times: deltas,
};
const bar = { open: number, high: number, low: number, close: number };
const volume = number.optional();
const dukascopy = z.union([
  z.object({
    ...common,
    ...{ ask: number, bid: number, asks: deltas, bids: deltas },
    ...{ askVolumes: deltas.optional(), bidVolumes: deltas.optional() },
  }),
  z.object({
    ...common,
    ...bar,
    ...{ opens: deltas, highs: deltas, lows: deltas, closes: deltas, volumes: deltas.optional() },
  }),
  z.array(z.object({ timestamp: number, askPrice: number, bidPrice: number, askVolume: volume, bidVolume: volume })),
  z.array(z.object({ timestamp: number, ...bar, volume })),
]);

export const dukascopyJson: Format = {
  ...JSON_FORMAT,
  name: "dukascopy-json",
  title: "Dukascopy's v1 JSON of ticks or candles, delta-coded; or dukascopy-node's list of rows",
  takes: ["sizeTimes", "intervalMs", "entry"],
  async read(input) {
    const data = await readJson(input, dukascopy, DUKASCOPY_RULE);
    if (Array.isArray(data)) addRows(input, data);
    else addDeltas(input, data);
  },
};

type Dukascopy = z.infer<typeof dukascopy>;

function addRows(input: Input, rows: Extract<Dukascopy, readonly unknown[]>): void {
  const isTicks = rows.some((row) => "askPrice" in row);
  const add = rowAdder(input, isTicks ? "quotes" : "bars", isTicks ? 2 : 4, MILLION);
  for (const row of rows)
    if ("askPrice" in row) add(row.timestamp, [row.bidPrice, row.askPrice, row.bidVolume, row.askVolume]);
    else add(row.timestamp, [row.open, row.high, row.low, row.close, row.volume]);
}

function addDeltas(input: Input, data: Exclude<Dukascopy, readonly unknown[]>): void {
  const { multiplier, shift, times } = data;
  const isTicks = "asks" in data;
  const lists = isTicks
    ? { bids: data.bids, asks: data.asks, bidVolumes: data.bidVolumes, askVolumes: data.askVolumes }
    : { opens: data.opens, highs: data.highs, lows: data.lows, closes: data.closes, volumes: data.volumes };
  for (const [name, list] of Object.entries(lists))
    if (list !== undefined && list.length !== times.length)
      input.log.refuse("format", `${name} must be as many as times, ${times.length}, was ${list.length}`);
  const firsts = isTicks ? [data.bid, data.ask] : [data.open, data.high, data.low, data.close];
  // 1e-5 has no exact binary value, 100000 has: prices come out as they would be written.
  const perUnit = Math.round(1 / multiplier);
  const units = firsts.map((first) => Math.round(first * perUnit));
  const columns = Object.values(lists);
  const add = rowAdder(input, isTicks ? "quotes" : "bars", firsts.length);
  let at = data.timestamp;
  for (const [i, step] of times.entries()) {
    at += step * shift;
    const values = columns.map((list, c) => {
      if (c >= units.length) return list?.[i];
      units[c] = (units[c] as number) + (list?.[i] as number);
      return (units[c] as number) / perUnit;
    });
    add(at, values);
  }
}

/** Adds rows in file order: the time, then the prices, then sizes, whose default unit is `sizeTimes`. */
function rowAdder(
  input: Input,
  kind: "quotes" | "bars",
  prices: number,
  sizeTimes?: number,
): (time: number, values: readonly (number | null | undefined)[]) => void {
  const intake = input.intake(kind);
  const { per } = priceScale(input.declared);
  const { times } = sizeScale(input.declared, sizeTimes);
  let row = 0;
  return (time, values) => {
    const scaled = values.map((value, i) => (i < prices ? (value ?? Number.NaN) / per : (value ?? Number.NaN) * times));
    intake.add(++row, time, ...scaled);
  };
}

async function readJson<T>({ bytes, log }: Input, schema: z.ZodType<T>, rule: string): Promise<T> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes()) {
    size += piece.length;
    if (size > BYTES_MAX) log.refuse("format", `a JSON file must be below ${BYTES_MAX} bytes`);
    pieces.push(Uint8Array.from(piece));
  }
  if (size === 0) log.refuse("empty", "the file is empty");
  const value = parsed(Buffer.concat(pieces), log);
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [wrong = ""] = complaintsOf(read.error.issues, value, (path) => path.join(".") || "the top");
  return log.refuse("format", `${rule}: ${wrong}`);
}

function parsed(bytes: Buffer, log: Input["log"]): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    return log.refuse("format", `it must be JSON in UTF-8: ${(error as Error).message}`);
  }
}
