// Kraken's downloadable history of bars: PAIR_MINUTES.csv without a header, times in seconds, intervals without a trade
// missing. The name says how long the bars are.

import { basename } from "node:path";
import type { ColumnName } from "../kind.ts";
import { fieldOf } from "./csv.ts";
import type { Format } from "./format.ts";
import { readCsv } from "./read-csv.ts";

const FIELDS: readonly (ColumnName | undefined)[] = ["time", "open", "high", "low", "close", "volume", undefined];

export const krakenOhlcvt: Format = {
  name: "kraken-ohlcvt",
  title: "Kraken's dump of bars: seconds, open, high, low, close, volume, trades",
  unit: "line",
  zone: "own",
  halfSpread: "none",
  takes: ["timeUnit", "sizeTimes", "intervalMs", "entry"],
  intervalIn(name) {
    const minutes = /_([0-9]{1,6})\.csv(?:\.gz|\.zip)?$/i.exec(name)?.[1];
    return minutes === undefined ? undefined : Number(minutes) * 60_000;
  },
  pairIn: (path) => /^(?![0-9]+_)([A-Z0-9]{5,24})_[0-9]/.exec(basename(path))?.[1],
  read: (input) =>
    readCsv(input, () => {
      const fields = FIELDS.map((name) => fieldOf("bars", name, { timeUnit: "s", ...input.declared }));
      const layout = { delimiter: ",", decimalComma: false, fields, zone: undefined };
      return { kind: "bars", layout, hasHeader: false };
    }),
};
