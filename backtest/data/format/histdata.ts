// histdata.com's ASCII files, without a header, in New York's winter time all year (UTC-5): minute bars of bids
// (`20260131 123000;o;h;l;c;v`) and ticks (`20260131 123000123,bid,ask,volume`).

import { basename } from "node:path";
import type { ColumnName } from "../kind.ts";
import { UTC_MINUS_5 } from "../zone.ts";
import { fieldOf } from "./csv.ts";
import type { Format } from "./format.ts";
import { readCsv } from "./read-csv.ts";

const BARS: readonly (ColumnName | undefined)[] = ["time", "open", "high", "low", "close", undefined];
const TICKS: readonly (ColumnName | undefined)[] = ["time", "bid", "ask", undefined];

export const histdata: Format = {
  name: "histdata",
  title: "histdata.com's ASCII minute bars (bids) or ticks, fixed UTC-5",
  unit: "line",
  zone: "own",
  halfSpread: "none",
  takes: ["intervalMs", "entry"],
  pairIn: (path) => /_ASCII_([A-Z]{6})_/.exec(basename(path))?.[1],
  read: (input) =>
    readCsv(input, (line) => {
      const kind = line.includes(";") ? "bars" : "quotes";
      // Its volumes are always zero: unknown, that is.
      const fields = (kind === "bars" ? BARS : TICKS).map((name) => fieldOf(kind, name, input.declared));
      const delimiter = kind === "bars" ? ";" : ",";
      return { kind, layout: { delimiter, decimalComma: false, fields, zone: UTC_MINUS_5 }, hasHeader: false };
    }),
};
