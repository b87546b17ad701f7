// An order as text, read by the rules of the interface: what is missing or malformed is a bad request, a wrong word in
// side, ordtype or timeinforce an invalid order.

import type { PairSymbol } from "../../domain/asset.ts";
import { Price, Quantity } from "../../domain/money/money.ts";
import type { ClientOrderId, Side } from "../../domain/order.ts";
import type { Millis } from "../../domain/time.ts";
import type { OutgoingOrder } from "../../exchange/port.ts";
import type { Answer, Form } from "./answer.ts";
import { shown } from "./house.ts";
import { refused } from "./refusal.ts";

const FIELDS = ["timestamp", "clordid", "symbol", "side", "ordtype", "timeinforce", "orderqty", "price"] as const;
const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|\+00:00)$/;
const CLIENT_ORDER_ID = /^[\x21-\x7e]{1,64}$/;
const SIDES: ReadonlyMap<string, Side> = new Map([
  ["Buy", "buy"],
  ["Sell", "sell"],
]);

export function readOrder(form: Form, at: Millis, ageMsMax: number | undefined): Answer<OutgoingOrder> {
  const missing = FIELDS.find((field) => !form[field]);
  if (missing !== undefined) return refused("bad_request", `${missing} is missing`);
  const { timestamp, clordid, symbol, side, ordtype, timeinforce, orderqty, price } = form as Record<string, string>;
  const sentAt = UTC_TIME.test(timestamp as string) ? Date.parse(timestamp as string) : Number.NaN;
  if (Number.isNaN(sentAt)) return refused("bad_request", `timestamp must be ISO 8601 in UTC, was ${shown(timestamp)}`);
  if (ageMsMax !== undefined && Math.abs(at - sentAt) > ageMsMax)
    return refused("bad_request", `timestamp must be within ${ageMsMax} ms of ours, was ${at - sentAt} ms before it`);
  if (!CLIENT_ORDER_ID.test(clordid as string))
    return refused("bad_request", `clordid must be 1 to 64 printable ASCII characters, was ${shown(clordid)}`);
  const sideRead = SIDES.get(side as string);
  if (sideRead === undefined) return refused("invalid_order", `side must be Buy or Sell, was ${shown(side)}`);
  if (ordtype !== "Limit") return refused("invalid_order", `ordtype must be Limit, was ${shown(ordtype)}`);
  if (timeinforce !== "FOK") return refused("invalid_order", `timeinforce must be FOK, was ${shown(timeinforce)}`);
  const quantity = Quantity.parse(orderqty, "positive");
  if (!quantity.ok) return refused("bad_request", `orderqty: ${quantity.error}`);
  const limit = Price.parse(price);
  if (!limit.ok) return refused("bad_request", `price: ${limit.error}`);
  return {
    ok: true,
    value: {
      clientOrderId: clordid as ClientOrderId,
      symbol: symbol as PairSymbol,
      side: sideRead,
      quantity: quantity.value,
      limit: limit.value,
    },
  };
}
