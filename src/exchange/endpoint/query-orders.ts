// POST /private/queryOrders: order history. The contract does not list its fields: ids are read under any known name,
// and everything is optional except one id.

import type { OrderRecord } from "../port.ts";
import {
  list,
  mapped,
  only,
  optional,
  price,
  quantity,
  record,
  side,
  symbol,
  Unreadable,
  word,
} from "../wire/decoder.ts";
import { type ReadEndpoint, rowTime } from "./endpoint.ts";

const row = record({
  clientOrderId: [optional(word), "clordid", "clientorderid"],
  orderId: [optional(word), "ordid", "orderid"],
  status: [optional(word), "ordstatus", "status"],
  symbol: [optional(symbol), "symbol", "pair"],
  side: optional(side),
  quantity: [optional(quantity), "orderqty", "quantity", "qty"],
  limit: [optional(price), "price"],
  at: rowTime,
});

export const queryOrders: ReadEndpoint<readonly OrderRecord[]> = {
  path: "/private/queryOrders",
  fields: {},
  answer: only(list(mapped(row, identified)), "orders"),
};

function identified(order: OrderRecord): OrderRecord {
  if (order.clientOrderId === undefined && order.orderId === undefined)
    throw new Unreadable("must have clordid or ordid");
  return order;
}
