// Binance's public dumps of klines: SYMBOL-1m-2025-01.csv, mostly without a header; open time, open, high, low, close, volume
// and what is not read. Times are in milliseconds, of spot pairs from 2025 on in microseconds: their number of digits tells.

import { basename } from "node:path";
import type { ColumnName } from "../kind.ts";
import { fieldOf } from "./csv.ts";
import type { Format } from "./format.ts";
import { readCsv } from "./read-csv.ts";

const NAMES: readonly ColumnName[] = ["time", "open", "high", "low", "close", "volume"];
const FIELDS = 12;
const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const MICROSECOND_DIGITS = 16;

export const binanceKlines: Format = {
  name: "binance-klines",
  title: "Binance's dumps of klines: open time, open, high, low, close, volume, ...",
  unit: "line",
  zone: "own",
  halfSpread: "none",
  takes: ["timeUnit", "sizeTimes", "intervalMs", "entry"],
  intervalIn(name) {
    const [, count, unit] = /-([0-9]{1,2})([smhdw])-[0-9-]+\.(?:csv|zip)(?:\.gz)?$/.exec(name) ?? [];
    return unit === undefined ? undefined : Number(count) * UNITS[unit as keyof typeof UNITS];
  },
  pairIn: (path) => /^([A-Z0-9]{5,24})-[0-9]{1,2}[A-Za-z]/.exec(basename(path))?.[1],
  read: (input) =>
    readCsv(input, (line) => {
      const hasHeader = !/^[0-9]/.test(line);
      // Under a header nothing is known of the rows yet; files that have one are in milliseconds.
      const digits = hasHeader ? 0 : line.indexOf(",");
      const timeUnit = digits === MICROSECOND_DIGITS ? "us" : "ms";
      const fields = Array.from({ length: FIELDS }, (_, i) =>
        fieldOf("bars", NAMES[i], { timeUnit, ...input.declared }),
      );
      const layout = { delimiter: ",", decimalComma: false, fields, zone: undefined };
      return { kind: "bars", layout, hasHeader };
    }),
};
