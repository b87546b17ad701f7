// POST /private/queryPayments: the settlements behind rails. The amount may be absent; one that is there needs its
// currency, and both must be readable.

import type { Payment } from "../port.ts";
import { amount, asset, list, mapped, money, optional, type Read, record, time, Unreadable, word } from "../shape.ts";
import type { ReadEndpoint } from "./endpoint.ts";

const row = record(
  {
    railid: optional(word),
    paymentid: optional(word),
    status: word,
    amount: optional(amount),
    currency: optional(asset),
    timestamp: time,
  },
  {
    id: "paymentid",
    quantity: "amount",
    received: "amount",
    asset: "currency",
    received_currency: "currency",
    time: "timestamp",
    created_at: "timestamp",
  },
);

const answer = record({ payments: list(mapped(row, payment)) });

export const queryPayments: ReadEndpoint<readonly Payment[]> = {
  path: "/private/queryPayments",
  fields: {},
  answer: mapped(answer, (body) => body.payments),
};

function payment(entry: Read<typeof row>): Payment {
  if (entry.amount !== undefined && entry.currency === undefined)
    throw new Unreadable("must say the currency of its amount");
  return {
    railId: entry.railid,
    paymentId: entry.paymentid,
    status: entry.status,
    amount:
      entry.amount === undefined || entry.currency === undefined
        ? undefined
        : money(entry.amount, entry.currency, "amount"),
    at: entry.timestamp,
  };
}
