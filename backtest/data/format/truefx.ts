// TrueFX ticks, without a header: `EUR/USD,20260131 12:30:00.123,bid,ask`, times in UTC. Every row must be of the pair that
// was declared.

import type { ColumnName } from "../kind.ts";
import { UTC } from "../zone.ts";
import { fieldOf } from "./csv.ts";
import type { Format } from "./format.ts";
import { readCsv } from "./read-csv.ts";

const FIELDS: readonly ColumnName[] = ["time", "bid", "ask"];

export const truefx: Format = {
  name: "truefx",
  title: "TrueFX ticks: pair, time, bid, ask, UTC",
  unit: "line",
  zone: "own",
  halfSpread: "none",
  takes: ["entry"],
  read: (input) =>
    readCsv(input, () => {
      const { declared } = input;
      const pair = { kind: "literal", text: declared.symbol } as const;
      const fields = [pair, ...FIELDS.map((name) => fieldOf("quotes", name, declared))];
      return { kind: "quotes", layout: { delimiter: ",", decimalComma: false, fields, zone: UTC }, hasHeader: false };
    }),
};
