// What dukascopy-node writes as CSV: timestamp in milliseconds UTC, ask before bid, volumes in millions of the base currency.

import { tableByHeader } from "./csv.ts";
import type { Format } from "./format.ts";
import { readCsv } from "./read-csv.ts";

const MILLION = 1_000_000;

export const dukascopyCsv: Format = {
  name: "dukascopy-csv",
  title: "dukascopy-node's CSV: timestamp, askPrice, bidPrice, volumes in millions; or bars",
  unit: "line",
  zone: "own",
  halfSpread: "none",
  read: (input) => readCsv(input, (line) => tableByHeader(input, line, MILLION)),
};
