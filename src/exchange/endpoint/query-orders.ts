// POST /private/queryOrders: order history. The contract does not list its fields: ids are read under any known name,
// and everything is optional except one id.

import type { OrderRecord } from "../port.ts";
import { mapped, optional, price, quantity, record, rows, side, Unreadable } from "../wire/decoder.ts";
import { orderFields, pairFields, pairOf, type ReadEndpoint, type RowRules } from "./endpoint.ts";

const row = (rules: RowRules) =>
  record({
    ...orderFields(rules),
    ...pairFields,
    side: optional(side),
    quantity: [optional(quantity), "orderqty", "quantity", "qty"],
    limit: [optional(price), "price"],
  });

export function queryOrders(rules: RowRules): ReadEndpoint<readonly OrderRecord[]> {
  const fields = row(rules);
  const order = mapped(fields, ({ symbol, base, quote, id, ...entry }): OrderRecord => {
    if (entry.clientOrderId === undefined && entry.orderId === undefined)
      throw new Unreadable("must have clordid or ordid").lacks("clordid");
    return { ...entry, orderId: entry.orderId ?? id, symbol: pairOf({ symbol, base, quote }) };
  });
  return {
    path: "/private/queryOrders",
    fields: {},
    answer: rows(order, fields.slots, "orders", "orderhistory"),
    slots: fields.slots,
  };
}
