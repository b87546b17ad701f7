// POST /private/mintTokens: new coins for fiat, or for crypto that the venue converts first. The request carries no id of ours, so a receipt without the venue's
// request id cannot be tracked and is a doubt.

import type { MintRequest } from "../../domain/mint.ts";
import { err } from "../../domain/result.ts";
import type { MintReceipt } from "../port.ts";
import type { Profile } from "../profile.ts";
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
    body: (profile) => {
      const problem = whyNoDestination(mint.destination, profile);
      return problem === undefined ? formBody(fieldsOf(mint, profile), profile) : err(problem);
    },
    answer: mapped(answer, receipt),
  };
}

/** A field that the venue does not know would be ignored, and the coins credited to the account. */
export function whyNoDestination(
  destination: string | undefined,
  { mintDestination }: Pick<Profile, "mintDestination">,
): string | undefined {
  return destination !== undefined && mintDestination === "none"
    ? "the interface does not show which field of a mint names an external wallet: ask the venue, then set venue.profile.mintDestination to it; or mint to your balance"
    : undefined;
}

function fieldsOf(
  { asset, blockchain, quantity, destination, spentMax }: MintRequest,
  { mintDestination, mintFunding }: Profile,
): CallFields {
  const fields = { asset, blockchain, quantity };
  const funding = spentMax === undefined || mintFunding === "none" ? {} : { [mintFunding]: spentMax.asset };
  return { ...fields, ...funding, ...(destination !== undefined && { [mintDestination]: destination }) };
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
