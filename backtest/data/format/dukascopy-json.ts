// Dukascopy's v1 JSON: a start, and deltas from row to row; prices in units of `multiplier`, so that sums stay whole numbers.
// Ticks (bid and ask) or candles. Volumes are base units. And what dukascopy-node makes of it: a list of rows with names, volumes
// in millions.

import { z } from "zod";
import { instrumentIn, MILLION } from "./dukascopy-csv.ts";
import { type Format, type Input, priceScale, sizeScale } from "./format.ts";
import { readJson } from "./read-json.ts";

const RULE =
  "dukascopy's JSON must have timestamp, multiplier, a first price and lists of deltas, or be a list of rows with " +
  "timestamp, askPrice and bidPrice, or timestamp, open, high, low and close";
const deltas = z.array(z.number());
/** Steps of time are in units of `shift` milliseconds. */
const common = {
  timestamp: z.number(),
  multiplier: z.number().positive().max(1),
  shift: z.number().positive().default(1),
  times: deltas,
};

const ticks = z.object({
  ...common,
  ask: z.number(),
  bid: z.number(),
  asks: deltas,
  bids: deltas,
  askVolumes: deltas.optional(),
  bidVolumes: deltas.optional(),
});

const candles = z.object({
  ...common,
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  opens: deltas,
  highs: deltas,
  lows: deltas,
  closes: deltas,
  volumes: deltas.optional(),
});

const time = z.number();
const tickRows = z.array(
  z.object({
    timestamp: time,
    askPrice: z.number(),
    bidPrice: z.number(),
    askVolume: z.number().optional(),
    bidVolume: z.number().optional(),
  }),
);

const candleRows = z.array(
  z.object({
    timestamp: time,
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.number().optional(),
  }),
);

export const dukascopyJson: Format = {
  name: "dukascopy-json",
  title: "Dukascopy's v1 JSON of ticks or candles, delta-coded; or dukascopy-node's list of rows",
  unit: "row",
  zone: "own",
  halfSpread: "none",
  takes: ["sizeTimes", "intervalMs", "entry"],
  pairIn: instrumentIn,
  async read(input) {
    const data = await readJson(input, z.union([ticks, candles, tickRows, candleRows]), RULE);
    if (Array.isArray(data)) addRows(input, data);
    else if ("asks" in data) addTicks(input, data);
    else addCandles(input, data);
  },
};

function addRows(input: Input, rows: z.infer<typeof tickRows> | z.infer<typeof candleRows>): void {
  const isTicks = rows.some((row) => "askPrice" in row);
  const intake = input.intake(isTicks ? "quotes" : "bars");
  const { times } = sizeScale(input.declared, MILLION);
  const { per } = priceScale(input.declared);
  const size = (volume: number | undefined): number => (volume ?? Number.NaN) * times;
  for (const [i, row] of rows.entries()) {
    const prices = "askPrice" in row ? [row.bidPrice, row.askPrice] : [row.open, row.high, row.low, row.close];
    const sizes = "askPrice" in row ? [size(row.bidVolume), size(row.askVolume)] : [size(row.volume)];
    intake.add(i + 1, row.timestamp, ...prices.map((price) => price / per), ...sizes);
  }
}

function addTicks(input: Input, data: z.infer<typeof ticks>): void {
  const { asks, bids, askVolumes, bidVolumes } = data;
  requireSameLength(input, data.times, { asks, bids, askVolumes, bidVolumes });
  const intake = input.intake("quotes");
  const { times } = sizeScale(input.declared);
  const { per } = priceScale(input.declared);
  const bid = running(data.bid, data.multiplier, data.bids);
  const ask = running(data.ask, data.multiplier, data.asks);
  let at = data.timestamp;
  for (const [i, step] of data.times.entries()) {
    at += step * data.shift;
    const sizes = [data.bidVolumes?.[i], data.askVolumes?.[i]].map((size) => (size ?? Number.NaN) * times);
    intake.add(i + 1, at, bid(i) / per, ask(i) / per, ...sizes);
  }
}

function addCandles(input: Input, data: z.infer<typeof candles>): void {
  const { multiplier, opens, highs, lows, closes, volumes } = data;
  requireSameLength(input, data.times, { opens, highs, lows, closes, volumes });
  const intake = input.intake("bars");
  const prices = [
    running(data.open, multiplier, opens),
    running(data.high, multiplier, highs),
    running(data.low, multiplier, lows),
    running(data.close, multiplier, closes),
  ];
  const { per } = priceScale(input.declared);
  const { times } = sizeScale(input.declared);
  let at = data.timestamp;
  for (const [i, step] of data.times.entries()) {
    at += step * data.shift;
    intake.add(i + 1, at, ...prices.map((price) => price(i) / per), (data.volumes?.[i] ?? Number.NaN) * times);
  }
}

/** The price of each row, asked in order. */
function running(first: number, multiplier: number, steps: readonly number[]): (row: number) => number {
  // 1e-5 is not a whole number of anything, 100000 is: prices come out as they would be written.
  const perUnit = Math.round(1 / multiplier);
  let units = Math.round(first * perUnit);
  return (row) => {
    units += steps[row] as number;
    return units / perUnit;
  };
}

function requireSameLength(
  { log }: Input,
  times: readonly number[],
  lists: Readonly<Record<string, readonly number[] | undefined>>,
): void {
  for (const [name, list] of Object.entries(lists))
    if (list !== undefined && list.length !== times.length)
      log.refuse("format", `${name} must be as many as times, ${times.length}, was ${list.length}`);
}
