// The names of the formats, apart from their readers, so that a command line can list them without loading any.

export const FORMAT_NAMES = [
  "csv",
  "parquet",
  "arrow",
  "ecb",
  "kraken-ohlcvt",
  "kraken-trades",
  "binance-klines",
  "dukascopy-json",
  "dukascopy-csv",
  "ccxt",
  "histdata",
  "truefx",
] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];
