// `pairs`: the pairs that can be traded.

import type { Instrument } from "../../../domain/instrument.ts";
import type { Report } from "./report.ts";

export const pairs: Report<Instrument> = {
  none: "the venue lists no trading pairs",
  fields: [
    { name: "symbol", value: (row) => row.symbol },
    { name: "status", value: (row) => row.status },
    { name: "minimum", align: "right", value: (row) => row.quantityMin.toString() },
    { name: "quantityDecimals", align: "right", value: (row) => String(row.quantityDecimals) },
    { name: "priceDecimals", align: "right", value: (row) => String(row.priceDecimals) },
  ],
  ask: (exchange) => exchange.pairs({ class: "other" }),
};
