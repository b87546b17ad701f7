// POST /private/queryOrders: order history. Its fields are not in the contract: what identifies an order is read where
// it is found, and everything is optional but one id.

import type { OrderRecord } from "../port.ts";
import {
  list,
  mapped,
  optional,
  price,
  quantity,
  type Read,
  record,
  side,
  symbol,
  time,
  Unreadable,
  word,
} from "../wire/decoder.ts";
import type { ReadEndpoint } from "./endpoint.ts";

/** Other names under which histories give what identifies a row: the contract does not show them. */
export const historyNames = {
  clientorderid: "clordid",
  orderid: "ordid",
  pair: "symbol",
  time: "timestamp",
  created_at: "timestamp",
} as const;

const row = record(
  {
    clordid: optional(word),
    ordid: optional(word),
    ordstatus: optional(word),
    symbol: optional(symbol),
    side: optional(side),
    orderqty: optional(quantity),
    price: optional(price),
    timestamp: time,
  },
  { ...historyNames, status: "ordstatus", quantity: "orderqty", qty: "orderqty" },
);

const answer = record({ orders: list(mapped(row, orderRecord)) });

export const queryOrders: ReadEndpoint<readonly OrderRecord[]> = {
  path: "/private/queryOrders",
  fields: {},
  answer: mapped(answer, (body) => body.orders),
};

function orderRecord(entry: Read<typeof row>): OrderRecord {
  if (entry.clordid === undefined && entry.ordid === undefined) throw new Unreadable("must have clordid or ordid");
  return {
    clientOrderId: entry.clordid,
    orderId: entry.ordid,
    status: entry.ordstatus,
    symbol: entry.symbol,
    side: entry.side,
    quantity: entry.orderqty,
    limit: entry.price,
    at: entry.timestamp,
  };
}
