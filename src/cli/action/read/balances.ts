// `balances`: what the venue says we hold.

import type { Balance } from "../../../domain/balance.ts";
import type { Report } from "./report.ts";

export const balances: Report<Balance> = {
  none: "the account holds nothing",
  fields: [
    { name: "asset", value: (row) => row.asset },
    { name: "available", align: "right", value: (row) => row.available.toString() },
    { name: "pending", align: "right", value: (row) => row.pending?.toString() },
  ],
  ask: (exchange) => exchange.balances({ class: "balance" }),
};
