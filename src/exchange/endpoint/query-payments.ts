// POST /private/queryPayments: the settlements of rails. Amount and fee may be absent; an amount needs its currency, a
// fee without one is in the amount's, and a value that is present must be readable.

import type { Asset } from "../../domain/asset.ts";
import type { Money } from "../../domain/money/money.ts";
import type { Payment } from "../port.ts";
import {
  amount,
  asset,
  ifReadable,
  mapped,
  money,
  optional,
  own,
  type Read,
  record,
  rows,
  Unreadable,
  word,
} from "../wire/decoder.ts";
import { type ReadEndpoint, type RowRules, rowTime } from "./endpoint.ts";

const row = (rules: RowRules) =>
  record({
    railId: own(optional(word), "railid"),
    paymentId: [optional(word), "paymentid"],
    id: ifReadable(word),
    status: [word, "status", "state"],
    amount: [optional(amount), "amount", "quantity"],
    currency: [optional(asset), "currency", "asset"],
    received: optional(amount),
    receivedCurrency: [optional(asset), "received_currency"],
    fee: [optional(amount), "fee", "fees", "fee_amount", "commission"],
    feeCurrency: [optional(asset), "fee_currency", "fee_asset"],
    at: rowTime(rules),
  });

export function queryPayments(rules: RowRules): ReadEndpoint<readonly Payment[]> {
  const fields = row(rules);
  const answer = rows(mapped(fields, payment), fields.slots, "payments", "paymenthistory");
  return { path: "/private/queryPayments", fields: {}, answer, slots: fields.slots };
}

/** An amount is never taken with the currency of the other one. */
function payment({ received, receivedCurrency, ...entry }: Read<ReturnType<typeof row>>): Payment {
  const { amount = received } = entry;
  const currency = entry.amount === undefined ? (receivedCurrency ?? entry.currency) : entry.currency;
  const { railId, id, paymentId = id, status, at, fee, feeCurrency = currency } = entry;
  return {
    ...{ railId, paymentId, status, at },
    amount: stated(amount, currency, "amount"),
    fee: stated(fee, feeCurrency, "fee"),
  };
}

function stated(text: string | undefined, of: Asset | undefined, field: string): Money | undefined {
  if (text === undefined) return undefined;
  if (of === undefined) throw new Unreadable(`must say the currency of its ${field}`).lacks("currency");
  return money(text, of, field);
}
