// `quotes`: the top of the venue's book.

import type { Quote } from "../../../domain/quote.ts";
import type { Report } from "./report.ts";

export const quotes: Report<Quote> = {
  none: "the venue quotes nothing now",
  fields: [
    { name: "symbol", value: (row) => row.symbol },
    { name: "bidSize", align: "right", value: (row) => row.bidSize?.toString() },
    { name: "bid", align: "right", value: (row) => row.bid.toString() },
    { name: "ask", align: "right", value: (row) => row.ask.toString() },
    { name: "askSize", align: "right", value: (row) => row.askSize?.toString() },
    { name: "spreadBps", align: "right", value: spreadBps },
  ],
  ask: (exchange) => exchange.quotes({ class: "quote" }),
};

function spreadBps({ bid, ask }: Quote): string {
  return (((ask - bid) / ((ask + bid) / 2)) * 10_000).toFixed(2);
}
