// What dukascopy-node writes as CSV (timestamp in milliseconds UTC, ask before bid) and what Dukascopy's own site exports
// (`Gmt time`, 31.01.2026 12:30:05.123; or `Local time` with the offset); volumes in millions of the base currency.

import { basename } from "node:path";
import { UTC } from "../zone.ts";
import { tableByHeader } from "./csv.ts";
import type { Format } from "./format.ts";
import { readCsv } from "./read-csv.ts";

/** The unit of Dukascopy's volumes. */
export const MILLION = 1_000_000;

/** Every row of a `Local time` has its offset; without it nobody knows whose clock it was. */
const NO_ZONE = `under "Local time" each must name its own; import it by --format csv with --zone and --size-times ${MILLION}`;

/** `eurusd-m1-bid-2026-01-01-….csv`, `EURUSD_Ticks_01.01.2026-….csv`. */
export function instrumentIn(path: string): string | undefined {
  return /^([a-z]{6})[-_](?:tick|candle|[smhd][0-9]|mn1)/i.exec(basename(path))?.[1]?.toUpperCase();
}

export const dukascopyCsv: Format = {
  name: "dukascopy-csv",
  title: "dukascopy-node's or Dukascopy's own CSV: ticks or bars, volumes in millions",
  unit: "line",
  zone: "own",
  halfSpread: "none",
  takes: ["timeUnit", "delimiter", "decimalComma", "sizeTimes", "intervalMs", "entry"],
  pairIn: instrumentIn,
  read: (input) =>
    readCsv(input, (line) => {
      const clock = /^"?local/i.test(line) ? { noZone: NO_ZONE } : { zone: UTC };
      return tableByHeader(input, line, { sizeTimes: MILLION, ...clock });
    }),
};
