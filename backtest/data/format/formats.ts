// Every format that can be read, by name, and the ones that a file's name gives away.

import { arrow } from "./arrow.ts";
import { binanceKlines } from "./binance-klines.ts";
import { ccxt } from "./ccxt.ts";
import { csv } from "./csv.ts";
import { dukascopyCsv } from "./dukascopy-csv.ts";
import { dukascopyJson } from "./dukascopy-json.ts";
import { ecb } from "./ecb.ts";
import type { Format } from "./format.ts";
import { histdata } from "./histdata.ts";
import { krakenOhlcvt } from "./kraken-ohlcvt.ts";
import { krakenTrades } from "./kraken-trades.ts";
import type { FormatName } from "./names.ts";
import { parquet } from "./parquet.ts";
import { truefx } from "./truefx.ts";

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

/** Only tables with names for their columns: the rest is imported once, with what has to be declared. */
export function formatOf(path: string): Format | undefined {
  if (/\.csv(?:\.gz|\.zip)?$/i.test(path)) return csv;
  if (/\.parquet$/i.test(path)) return parquet;
  return /\.(?:arrow|feather|ipc)$/i.test(path) ? arrow : undefined;
}
