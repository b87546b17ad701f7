// `orders`: order history.

import type { OrderRecord } from "../../../exchange/port.ts";
import { type Report, timeText } from "./report.ts";

export const orders: Report<OrderRecord> = {
  none: "no orders",
  fields: [
    { name: "at", value: (row) => timeText(row.at) },
    { name: "symbol", value: (row) => row.symbol },
    { name: "side", value: (row) => row.side },
    { name: "quantity", align: "right", value: (row) => row.quantity?.toString() },
    { name: "limit", align: "right", value: (row) => row.limit?.toString() },
    { name: "status", value: (row) => row.status },
    { name: "orderId", value: (row) => row.orderId },
    { name: "clientOrderId", value: (row) => row.clientOrderId },
  ],
  ask: (exchange) => exchange.orders({ class: "other" }),
};
