// POST /private/queryPaymentRails: the account's rails, by railid. The contract lists only the fields of a
// registration: any other field that the venue shows helps to recognise a rail, and unreadable ones are left out.

import type { RailRequest } from "../../domain/rail.ts";
import type { RailRecord } from "../port.ts";
import { asset, ifReadable, mapped, optional, own, prose, type Read, record, rows, word } from "../wire/decoder.ts";
import { type ReadEndpoint, type RowRules, statusIn } from "./endpoint.ts";

const place = record({ destination: optional(word), memo: prose });

const row = (rules: RowRules) =>
  record({
    railId: own(word, "railid", "id"),
    status: own(statusIn(rules, "settlement"), "status", "state"),
    reason: prose,
    railtype: ifReadable(word),
    wallet: ifReadable(place),
    bankaccount: ifReadable(place),
    instructions: ifReadable(record({ asset: optional(asset), currency: optional(asset), blockchain: optional(word) })),
  });

export function queryPaymentRails(rules: RowRules): ReadEndpoint<readonly RailRecord[]> {
  const fields = row(rules);
  return {
    path: "/private/queryPaymentRails",
    fields: {},
    answer: rows(mapped(fields, railOf), fields.slots, "rails", "paymentrails"),
    slots: fields.slots,
  };
}

function railOf(entry: Read<ReturnType<typeof row>>): RailRecord {
  const { railId, status, reason, railtype, instructions } = entry;
  const where = entry.wallet ?? entry.bankaccount;
  const shown = {
    type: isType(railtype) ? railtype : undefined,
    destination: where?.destination,
    memo: where?.memo,
    ...instructions,
  };
  const request = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
  return Object.keys(request).length === 0 ? { railId, status, reason } : { railId, status, reason, request };
}

function isType(text: string | undefined): text is RailRequest["type"] {
  return text === "FiatToStablecoin" || text === "StablecoinToFiat";
}
