// Every readable format by name, and the formats recognised by file name.

import { arrow } from "./arrow.ts";
import { csv } from "./csv.ts";
import { ecb } from "./ecb.ts";
import type { Format, FormatName } from "./format.ts";
import { ccxt, dukascopyJson } from "./json.ts";
import { parquet } from "./parquet.ts";
import { binanceKlines, dukascopyCsv, histdata, krakenOhlcvt, krakenTrades, truefx } from "./text.ts";

export const FORMATS: Readonly<Record<FormatName, Format>> = {
  csv,
  parquet,
  arrow,
  ecb,
  "kraken-ohlcvt": krakenOhlcvt,
  "kraken-trades": krakenTrades,
  "binance-klines": binanceKlines,
  "dukascopy-json": dukascopyJson,
  "dukascopy-csv": dukascopyCsv,
  ccxt,
  histdata,
  truefx,
};

/** Only tables with named columns: other formats are imported once, with their declarations. */
export function formatOf(path: string): Format | undefined {
  if (/\.csv(?:\.gz|\.zip)?$/i.test(path)) return csv;
  if (/\.parquet$/i.test(path)) return parquet;
  return /\.(?:arrow|feather|ipc)$/i.test(path) ? arrow : undefined;
}
