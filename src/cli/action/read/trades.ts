// `trades`: trade history.

import type { TradeRecord } from "../../../exchange/port.ts";
import { type Report, timeText } from "./report.ts";

export const trades: Report<TradeRecord> = {
  none: "no trades",
  fields: [
    { name: "at", value: (row) => timeText(row.at) },
    { name: "symbol", value: (row) => row.symbol },
    { name: "side", value: (row) => row.side },
    { name: "bought", align: "right", value: (row) => `${row.bought} ${row.bought.asset}` },
    { name: "sold", align: "right", value: (row) => `${row.sold} ${row.sold.asset}` },
    { name: "fee", align: "right", value: (row) => `${row.fee} ${row.fee.asset}` },
    { name: "status", value: (row) => row.status },
    { name: "tradeId", value: (row) => row.tradeId },
    { name: "clientOrderId", value: (row) => row.clientOrderId },
  ],
  ask: (exchange) => exchange.trades({ class: "other" }),
};
