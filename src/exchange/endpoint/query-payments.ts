// POST /private/queryPayments: the settlements of rails. Amount and fee may be absent; an amount needs its currency, a
// fee without one is in the amount's. What was paid and what arrived state the fee; amounts that leave it open are odd.

import type { Asset } from "../../domain/asset.ts";
import { fiatOf } from "../../domain/coin.ts";
import { Money } from "../../domain/money/money.ts";
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
import { type ReadEndpoint, type RowRules, rowTime, statusIn } from "./endpoint.ts";

const row = (rules: RowRules) =>
  record({
    railId: own(optional(word), "railid"),
    paymentId: [optional(word), "paymentid"],
    id: ifReadable(word),
    status: [statusIn(rules, "settlement"), "status", "state"],
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
  const answer = rows(
    mapped(fields, (entry) => payment(entry, rules.paymentAmounts)),
    fields.slots,
    "payments",
    "paymenthistory",
  );
  return { path: "/private/queryPayments", fields: {}, answer, slots: fields.slots };
}

/** What was paid, what it cost, and what comes: each with its own currency, and the amount is always what was paid. */
function payment(entry: Read<ReturnType<typeof row>>, how: RowRules["paymentAmounts"]): Payment {
  const { railId, id, paymentId = id, status, at, currency, receivedCurrency = currency } = entry;
  const amount = stated(entry.amount, currency, "currency");
  const received = stated(entry.received, receivedCurrency, "received_currency");
  const fee = stated(entry.fee, entry.feeCurrency ?? (amount ?? received)?.asset ?? currency, "fee_currency");
  return { railId, paymentId, status, at, ...settled(amount, received, fee, how) };
}

function settled(
  amount: Money | undefined,
  received: Money | undefined,
  fee: Money | undefined,
  how: RowRules["paymentAmounts"],
): Pick<Payment, "amount" | "fee" | "odd" | "isEither" | "isNet"> {
  const [one, ...others] = [amount, received, fee].filter((money) => money !== undefined);
  const apart = others.find(({ asset }) => !isAtPar(asset, (one as Money).asset));
  if (apart !== undefined) return { amount, fee, odd: `its amounts are in ${one?.asset} and ${apart.asset}` };
  if (received === undefined) {
    if (amount === undefined || fee === undefined || fee.isZero() || how === "gross") return negative({ amount, fee });
    if (how === "net") return { amount: amount.plus(as(fee, amount)), fee };
    const odd = `its amount may be with or without its fee of ${fee} ${fee.asset}: venue.profile.paymentAmounts says which (gross or net)`;
    return { amount, fee, odd, isEither: true };
  }
  // What arrived is net: without another amount its fee is in it already, and how much left is not said.
  if (amount === undefined)
    return fee === undefined
      ? { amount: received, fee: Money.zero(received.asset), isNet: true }
      : { amount: received.plus(as(fee, received)), fee };
  const difference = as(amount, received).minus(received);
  if (fee !== undefined && !as(fee, received).equals(difference))
    return { amount, fee, odd: `its fee is ${fee}, and its amounts differ by ${difference}` };
  return negative({ amount, fee: difference });
}

function negative({ amount, fee }: Pick<Payment, "amount" | "fee">): Pick<Payment, "amount" | "fee" | "odd"> {
  if (amount === undefined || fee === undefined) return { amount, fee };
  const isOdd = fee.isNegative() || fee.moreThan(as(amount, fee));
  return isOdd ? { amount, fee, odd: `of its amount of ${amount} a fee of ${fee} would be taken` } : { amount, fee };
}

function isAtPar(one: Asset, other: Asset): boolean {
  return one === other || fiatOf(one) === other || fiatOf(other) === one;
}

/** At par: a coin and its fiat. */
function as(money: Money, { asset }: Money): Money {
  return Money.of(String(money), asset);
}

function stated(text: string | undefined, of: Asset | undefined, field: string): Money | undefined {
  if (text === undefined) return undefined;
  if (of === undefined)
    throw new Unreadable(`must say the currency of its ${field.replace("_currency", "")}`).lacks(field);
  return money(text, of, field);
}
