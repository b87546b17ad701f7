// POST /private/queryPayments: the settlements behind rails. Amount and fee may be absent; an amount needs its currency, a
// fee without one is in that of the amount, and what is there must be readable.

import type { Asset } from "../../domain/asset.ts";
import type { Money } from "../../domain/money/money.ts";
import type { Payment } from "../port.ts";
import {
  amount,
  asset,
  list,
  mapped,
  money,
  optional,
  type Read,
  record,
  time,
  Unreadable,
  word,
} from "../wire/decoder.ts";
import type { ReadEndpoint } from "./endpoint.ts";

const row = record(
  {
    railid: optional(word),
    paymentid: optional(word),
    status: word,
    amount: optional(amount),
    currency: optional(asset),
    fee: optional(amount),
    fee_currency: optional(asset),
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
  const { currency, fee_currency = currency } = entry;
  return {
    railId: entry.railid,
    paymentId: entry.paymentid,
    status: entry.status,
    amount: stated(entry.amount, currency, "amount"),
    fee: stated(entry.fee, fee_currency, "fee"),
    at: entry.timestamp,
  };
}

function stated(text: string | undefined, of: Asset | undefined, field: string): Money | undefined {
  if (text === undefined) return undefined;
  if (of === undefined) throw new Unreadable(`must say the currency of its ${field}`);
  return money(text, of, field);
}
