// Text tables from public sources: the fields of a row and their clock. The scanner reads all of them.

import type { Field, Layout } from "../csv/scan.ts";
import type { ColumnName, DataKind } from "../source.ts";
import { UTC, UTC_MINUS_5 } from "../zone.ts";
import { fieldOf, readCsv, type Table, tableByHeader } from "./csv.ts";
import { aroundPrice, type Declaration, type Format, type Input, MILLION } from "./format.ts";

const TEXT = { unit: "line", zone: "own", halfSpread: "none" } as const;
const BARS: readonly ColumnName[] = ["time", "open", "high", "low", "close", "volume"];

/** A comma-separated table without a header. */
function bare(
  kind: DataKind,
  names: readonly (ColumnName | undefined)[],
  declared: Declaration,
  layout: Partial<Layout> = {},
): Table {
  const fields = names.map((name) => fieldOf(kind, name, declared));
  return {
    kind,
    layout: { delimiter: ",", decimalComma: false, fields, zone: undefined, ...layout },
    hasHeader: false,
  };
}

/**
 * Minute bars of bids (`20260131 123000;o;h;l;c;v`) and ticks (`20260131 123000123,bid,ask,volume`). Volumes are always
 * zero, which means unknown.
 */
export const histdata: Format = {
  ...TEXT,
  name: "histdata",
  title: "histdata.com's ASCII minute bars (bids) or ticks, fixed UTC-5",
  takes: ["intervalMs", "entry"],
  read: (input) =>
    readCsv(input, (line) =>
      line.includes(";")
        ? bare("bars", [...BARS.slice(0, 5), undefined], input.declared, { delimiter: ";", zone: UTC_MINUS_5 })
        : bare("quotes", ["time", "bid", "ask", undefined], input.declared, { zone: UTC_MINUS_5 }),
    ),
};

/** `EUR/USD,20260131 12:30:00.123,bid,ask`: every row must be of the declared pair. */
export const truefx: Format = {
  ...TEXT,
  name: "truefx",
  title: "TrueFX ticks: pair, time, bid, ask, UTC",
  takes: ["entry"],
  read: (input) =>
    readCsv(input, () => {
      const pair: Field = { kind: "literal", text: input.declared.symbol };
      const table = bare("quotes", ["time", "bid", "ask"], input.declared, { zone: UTC });
      return { ...table, layout: { ...table.layout, fields: [pair, ...table.layout.fields] } };
    }),
};

/** Intervals without a trade have no row. */
export const krakenOhlcvt: Format = {
  ...TEXT,
  name: "kraken-ohlcvt",
  title: "Kraken's dump of bars: seconds, open, high, low, close, volume, trades",
  takes: ["timeUnit", "sizeTimes", "intervalMs", "entry"],
  read: (input) => readCsv(input, () => bare("bars", [...BARS, undefined], inSeconds(input))),
};

/** A trade is one price, not a bid and an ask: their assumed distance is declared, and recorded in the manifest. */
export const krakenTrades: Format = {
  ...TEXT,
  name: "kraken-trades",
  title: "Kraken's dump of trades: seconds, price, volume",
  halfSpread: "needed",
  takes: ["timeUnit", "entry"],
  read: (input) =>
    readCsv(input, () =>
      bare("quotes", ["time", "bid", "bidSize"], inSeconds(input), { complete: tradeQuotes(input) }),
    ),
};

function inSeconds({ declared }: Input): Declaration {
  return { timeUnit: "s", ...declared };
}

/**
 * Times are whole seconds: another trade at the same price gives the same quote, and does not count as a duplicate row.
 */
function tradeQuotes({ declared, log }: Input): NonNullable<Layout["complete"]> {
  const around = aroundPrice(declared);
  let last = [Number.NaN, Number.NaN, Number.NaN];
  return (columns, row) => {
    const [times, bids, asks, volumes] = columns as [Float64Array, Float64Array, Float64Array, Float64Array];
    const [time, price, volume] = [times[row], bids[row], volumes[row]] as [number, number, number];
    const isRepeated = time === last[0] && price === last[1] && volume !== last[2];
    last = [time, price, volume];
    if (isRepeated) log.count("repeated", 1);
    [bids[row], asks[row]] = around(price) as [number, number];
    // The traded volume is not a quoted size, so sizes stay unknown.
    volumes[row] = Number.NaN;
    return !isRepeated;
  };
}

const KLINE_FIELDS = 12;
const MICROSECOND_DIGITS = 16;

/** Times are in milliseconds, for spot pairs from 2025 on in microseconds: the number of digits decides. */
export const binanceKlines: Format = {
  ...TEXT,
  name: "binance-klines",
  title: "Binance's dumps of klines: open time, open, high, low, close, volume, ...",
  takes: ["timeUnit", "sizeTimes", "intervalMs", "entry"],
  read: (input) =>
    readCsv(input, (line) => {
      const hasHeader = !/^[0-9]/.test(line);
      // With a header the first line does not show the unit; files that have one are in milliseconds.
      const timeUnit = !hasHeader && line.indexOf(",") === MICROSECOND_DIGITS ? "us" : "ms";
      const names = Array.from({ length: KLINE_FIELDS }, (_, i) => BARS[i]);
      return { ...bare("bars", names, { timeUnit, ...input.declared }), hasHeader };
    }),
};

/** Every row of a `Local time` has its offset; without it the zone is unknown. */
const NO_ZONE = `under "Local time" each must name its own; import it by --format csv with --zone and --size-times ${MILLION}`;

/**
 * Files of dukascopy-node (milliseconds, ask before bid) and exports of Dukascopy's site (`Gmt time`, `Local time`).
 */
export const dukascopyCsv: Format = {
  ...TEXT,
  name: "dukascopy-csv",
  title: "dukascopy-node's or Dukascopy's own CSV: ticks or bars, volumes in millions",
  takes: ["timeUnit", "delimiter", "decimalComma", "sizeTimes", "intervalMs", "entry"],
  read: (input) =>
    readCsv(input, (line) => {
      const clock = /^"?local/i.test(line) ? { noZone: NO_ZONE } : { zone: UTC };
      return tableByHeader(input, line, { sizeTimes: MILLION, ...clock });
    }),
};
