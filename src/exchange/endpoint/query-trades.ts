// POST /private/queryTrades: trade history, which decides about money. Legs and fee must be there in full; the side
// follows from the symbol and the bought currency, and a stated side must agree with it.

import { assetsOf } from "../../domain/asset.ts";
import { legs, type Side } from "../../domain/order.ts";
import type { TradeRecord } from "../port.ts";
import {
  amount,
  asset,
  list,
  mapped,
  money,
  optional,
  type Read,
  record,
  side,
  symbol,
  time,
  Unreadable,
  word,
} from "../wire/decoder.ts";
import type { ReadEndpoint } from "./endpoint.ts";
import { historyNames } from "./query-orders.ts";

const row = record(
  {
    tradeid: optional(word),
    clordid: optional(word),
    ordid: word,
    symbol,
    side: optional(side),
    bought: amount,
    bought_currency: asset,
    sold: amount,
    sold_currency: asset,
    fee: amount,
    fee_currency: asset,
    status: optional(word),
    timestamp: time,
  },
  { ...historyNames, id: "tradeid", ordstatus: "status" },
);

const answer = record({ trades: list(mapped(row, trade)) });

export const queryTrades: ReadEndpoint<readonly TradeRecord[]> = {
  path: "/private/queryTrades",
  fields: {},
  answer: mapped(answer, (body) => body.trades),
};

function trade(entry: Read<typeof row>): TradeRecord {
  return {
    clientOrderId: entry.clordid,
    orderId: entry.ordid,
    tradeId: entry.tradeid,
    symbol: entry.symbol,
    side: sideOf(entry),
    bought: money(entry.bought, entry.bought_currency, "bought"),
    sold: money(entry.sold, entry.sold_currency, "sold"),
    // A rebate would be negative; whether it may be is not for the reader to say.
    fee: money(entry.fee, entry.fee_currency, "fee", "any"),
    status: entry.status,
    at: entry.timestamp,
  };
}

function sideOf(entry: Read<typeof row>): Side {
  const { base, quote } = assetsOf(entry.symbol);
  for (const way of ["buy", "sell"] as const) {
    const { bought, sold } = legs(way, base, quote);
    if (entry.bought_currency !== bought || entry.sold_currency !== sold) continue;
    if (entry.side !== undefined && entry.side !== way) break;
    return way;
  }
  throw new Unreadable("must have currencies that agree with its symbol and side");
}
