// `payments`: payments of rails and their settlement.

import type { Payment } from "../../../exchange/port.ts";
import { type Report, timeText } from "./report.ts";

export const payments: Report<Payment> = {
  none: "no payments",
  fields: [
    { name: "at", value: (row) => timeText(row.at) },
    { name: "railId", value: (row) => row.railId },
    { name: "paymentId", value: (row) => row.paymentId },
    { name: "amount", align: "right", value: ({ amount }) => (amount ? `${amount} ${amount.asset}` : undefined) },
    { name: "status", value: (row) => row.status },
  ],
  ask: (exchange) => exchange.payments({ class: "treasury" }),
};
