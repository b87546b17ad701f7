// POST /private/addOrder: one Fill-or-Kill limit order. A fill counts only if everything agrees: no error, our client
// order id, `Filled`, and amounts that fit the order. Any other body is a rejection with a code, or a doubt.

import { fillInconsistency } from "../../domain/fill-consistency.ts";
import { type Fill, withFeeOutside } from "../../domain/order.ts";
import type { Millis } from "../../domain/time.ts";
import type { OutgoingOrder } from "../port.ts";
import { insideOf, type Profile, presets } from "../profile.ts";
import { amount, asset, mapped, money, optional, type Read, record, word } from "../wire/decoder.ts";
import { formBody, type MoneyEndpoint, type Receipt, statusIn } from "./endpoint.ts";
import { errorFields, errorOf, isGoodResult, isMoved, uncoded } from "./venue-error.ts";

const orderObject = (rules: Pick<Profile, "statuses">) =>
  record({
    clordid: optional(word),
    ordid: optional(word),
    ordstatus: optional(statusIn(rules, "history")),
    bought: optional(amount),
    bought_currency: optional(asset),
    sold: optional(amount),
    sold_currency: optional(asset),
    fee: optional(amount),
    fee_currency: optional(asset),
  });

const envelope = (rules: Pick<Profile, "statuses">) => record({ ...errorFields, order: optional(orderObject(rules)) });

type Envelope = Read<ReturnType<typeof envelope>>;
type OrderObject = Read<ReturnType<typeof orderObject>>;

export function addOrder(
  order: OutgoingOrder,
  rules: Pick<Profile, "statuses" | "feeInside"> = presets.contract,
): MoneyEndpoint<Fill> {
  const { clientOrderId, symbol, side, quantity, limit } = order;
  return {
    kind: "order",
    path: "/private/addOrder",
    body: (profile, at) =>
      formBody(
        {
          timestamp: new Date(at).toISOString(),
          clordid: clientOrderId,
          symbol,
          side: side === "buy" ? "Buy" : "Sell",
          ordtype: "Limit",
          timeinforce: "FOK",
          orderqty: quantity,
          price: limit,
        },
        profile,
      ),
    answer: mapped(envelope(rules), (body) => judged(body, order, rules.feeInside)),
  };
}

function judged(body: Envelope, order: OutgoingOrder, feeInside: Profile["feeInside"]): Receipt<Fill> {
  const answered = body.order;
  if (answered?.clordid !== undefined && answered.clordid !== order.clientOrderId)
    return contradiction("the answer is about another order");
  const error = errorOf(body) ?? (answered?.ordstatus === "Rejected" ? uncoded("ordstatus is Rejected") : undefined);
  if (error !== undefined) {
    if (answered === undefined || !mayHaveTraded(answered))
      return { kind: "refused", error, isUnsure: ![body.result, answered?.ordstatus].every(isOfRefusal) };
    return contradiction(`the order came back ${answered.ordstatus ?? "with amounts"} and with an error`);
  }
  if (body.result === undefined || !isGoodResult(body.result))
    return { kind: "unclear", message: `result must be ok or success, was ${body.result ?? "missing"}` };
  if (answered === undefined) return contradiction("the answer has neither an order nor an error");
  const { ordstatus = "missing" } = answered;
  if (ordstatus !== "Filled")
    return { kind: "unclear", message: `ordstatus must be Filled or come with an error, was ${ordstatus}` };
  const stated = filled(answered, order, body.timestamp);
  if ("kind" in stated) return stated;
  const fill = withFeeOutside(stated, insideOf(order.symbol, feeInside));
  const problem = fillInconsistency(order, fill);
  return problem === undefined ? { kind: "accepted", value: fill } : contradiction(problem);
}

/** Words that come with a refusal; next to another one it counts once a round of queries agrees. */
function isOfRefusal(word: string | undefined): boolean {
  return (
    isGoodResult(word) ||
    /^(error|fail(ed|ure)?|reject(ed)?|refused|den(y|ied)|declined|killed|cancell?ed|expired|(not|un)[ _-]?filled)$/i.test(
      word ?? "",
    )
  );
}

function filled(answered: OrderObject, order: OutgoingOrder, at: Millis | undefined): Fill | Receipt<never> {
  const { clordid, ordid, bought, bought_currency, sold, sold_currency, fee, fee_currency } = answered;
  if (clordid === undefined || ordid === undefined) return contradiction("a filled order must have clordid and ordid");
  const charged = fee_currency ?? (fee !== undefined && !isMoved(fee) ? sold_currency : undefined);
  if (
    bought === undefined ||
    sold === undefined ||
    fee === undefined ||
    bought_currency === undefined ||
    sold_currency === undefined ||
    charged === undefined
  )
    return contradiction("a filled order must have bought, sold and fee with their currencies");
  return {
    clientOrderId: order.clientOrderId,
    orderId: ordid,
    tradeId: undefined,
    symbol: order.symbol,
    side: order.side,
    bought: money(bought, bought_currency, "order.bought"),
    sold: money(sold, sold_currency, "order.sold"),
    fee: money(fee, charged, "order.fee", "any"),
    at,
  };
}

/** Next to an error only amounts and `Filled` say that it traded; another word does not. */
function mayHaveTraded({ ordstatus, bought, sold }: OrderObject): boolean {
  return ordstatus === "Filled" || isMoved(bought) || isMoved(sold);
}

function contradiction(message: string): Receipt<never> {
  return { kind: "contradiction", message };
}
