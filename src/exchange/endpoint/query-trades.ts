// POST /private/queryTrades: trade history, which is evidence about money. Legs and fee must be complete; the side
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
  only,
  optional,
  type Read,
  record,
  side,
  symbol,
  Unreadable,
  word,
} from "../wire/decoder.ts";
import { type ReadEndpoint, rowTime } from "./endpoint.ts";

const row = record({
  tradeId: [optional(word), "tradeid", "id"],
  clientOrderId: [optional(word), "clordid", "clientorderid"],
  orderId: [word, "ordid", "orderid"],
  symbol: [symbol, "symbol", "pair"],
  side: optional(side),
  bought: amount,
  boughtCurrency: [asset, "bought_currency"],
  sold: amount,
  soldCurrency: [asset, "sold_currency"],
  fee: amount,
  feeCurrency: [asset, "fee_currency"],
  status: [optional(word), "status", "ordstatus"],
  at: rowTime,
});

export const queryTrades: ReadEndpoint<readonly TradeRecord[]> = {
  path: "/private/queryTrades",
  fields: {},
  answer: only(list(mapped(row, trade)), "trades"),
};

function trade({ boughtCurrency, soldCurrency, feeCurrency, ...entry }: Read<typeof row>): TradeRecord {
  return {
    ...entry,
    side: sideOf({ boughtCurrency, soldCurrency, ...entry }),
    bought: money(entry.bought, boughtCurrency, "bought"),
    sold: money(entry.sold, soldCurrency, "sold"),
    // A rebate would be negative; the decoder does not judge whether that is allowed.
    fee: money(entry.fee, feeCurrency, "fee", "any"),
  };
}

function sideOf(entry: Omit<Read<typeof row>, "feeCurrency">): Side {
  const { base, quote } = assetsOf(entry.symbol);
  for (const way of ["buy", "sell"] as const) {
    const { bought, sold } = legs(way, base, quote);
    if (entry.boughtCurrency !== bought || entry.soldCurrency !== sold) continue;
    if (entry.side !== undefined && entry.side !== way) break;
    return way;
  }
  throw new Unreadable("must have currencies that agree with its symbol and side");
}
