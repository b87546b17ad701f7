// POST /private/queryOrders: order history. The contract does not list its fields: ids are read under any known name,
// and everything is optional except one id.

import type { OrderRecord } from "../port.ts";
import {
  ifReadable,
  list,
  listed,
  mapped,
  optional,
  price,
  quantity,
  record,
  side,
  Unreadable,
  word,
} from "../wire/decoder.ts";
import {
  CLIENT_ORDER_ID,
  ORDER_ID,
  pairFields,
  pairOf,
  type ReadEndpoint,
  type RowRules,
  rowTime,
  STATUSES,
} from "./endpoint.ts";

const row = (rules: RowRules) =>
  record({
    clientOrderId: CLIENT_ORDER_ID,
    orderId: ORDER_ID,
    id: ifReadable(word),
    status: [optional(word), "ordstatus", ...STATUSES],
    ...pairFields,
    side: optional(side),
    quantity: [optional(quantity), "orderqty", "quantity", "qty"],
    limit: [optional(price), "price"],
    at: rowTime(rules),
  });

export function queryOrders(rules: RowRules): ReadEndpoint<readonly OrderRecord[]> {
  const order = mapped(row(rules), ({ symbol, base, quote, id, ...entry }): OrderRecord => {
    if (entry.clientOrderId === undefined && entry.orderId === undefined)
      throw new Unreadable("must have clordid or ordid");
    return { ...entry, orderId: entry.orderId ?? id, symbol: pairOf({ symbol, base, quote }) };
  });
  return { path: "/private/queryOrders", fields: {}, answer: listed(list(order), "orders", "orderhistory") };
}
