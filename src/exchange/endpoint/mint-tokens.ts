// POST /private/mintTokens: new coins for fiat. The request carries no id of ours, so a receipt without the venue's
// request id cannot be tracked and is a doubt.

import type { MintRequest } from "../../domain/mint.ts";
import type { MintReceipt } from "../port.ts";
import { amount, asset, mapped, money, optional, type Read, record, word } from "../wire/decoder.ts";
import { type CallFields, formBody, type MoneyEndpoint, type Receipt } from "./endpoint.ts";
import { errorFields, errorOf, failedResult, isGoodResult, isMoved, refused } from "./venue-error.ts";

const answer = record({
  ...errorFields,
  txid: optional(word),
  requestid: optional(word),
  fee: optional(amount),
  fee_currency: optional(asset),
  spent: optional(amount),
  spent_currency: optional(asset),
});

export function mintTokens(mint: MintRequest): MoneyEndpoint<MintReceipt> {
  return {
    kind: "mint",
    path: "/private/mintTokens",
    body: (profile) => formBody(fieldsOf(mint), profile),
    answer: mapped(answer, receipt),
  };
}

/** The contract does not show how a wallet is named; without one the field is left out. */
function fieldsOf({ asset, blockchain, quantity, destination }: MintRequest): CallFields {
  const fields = { asset, blockchain, quantity };
  return destination === undefined ? fields : { ...fields, destination };
}

function receipt(body: Read<typeof answer>): Receipt<MintReceipt> {
  const { requestid, txid, fee, spent, spent_currency } = body;
  const error = errorOf(body);
  const landed = requestid !== undefined || txid !== undefined || isMoved(spent);
  if (error !== undefined)
    return refused(error, {
      result: body.result,
      contradiction: landed ? "the mint came back with an id or an amount, and with an error" : undefined,
    });
  if (!isGoodResult(body.result)) return failedResult(body.result, landed);
  if (requestid === undefined || fee === undefined || spent === undefined || spent_currency === undefined)
    return { kind: "unclear", message: "a mint receipt must have requestid, fee, spent and spent_currency" };
  return {
    kind: "accepted",
    value: {
      requestId: requestid,
      transactionId: txid,
      // The contract names one currency for both amounts.
      fee: money(fee, body.fee_currency ?? spent_currency, "fee"),
      spent: money(spent, spent_currency, "spent"),
    },
  };
}
