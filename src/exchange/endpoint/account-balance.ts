// POST /private/accountBalance: the account's holdings. An asset with an invalid name is left out, because it is never
// traded. An unreadable amount fails the reading; a negative one is kept, so that it can be shown.

import { parseAsset } from "../../domain/asset.ts";
import type { Balance } from "../../domain/balance.ts";
import {
  addProblem,
  allRows,
  amount,
  type Decoder,
  money,
  optional,
  record,
  Unreadable,
  word,
} from "../wire/decoder.ts";
import type { ReadEndpoint } from "./endpoint.ts";

const row = record({
  asset: [word, "asset", "symbol", "currency"],
  available: [amount, "available", "available_balance"],
  pending: [optional(amount), "pending", "pending_balance"],
});

const rows = allRows(row, row.slots, "balances");

const balances: Decoder<readonly Balance[]> = (json, problems) => {
  const held = new Map<string, Balance>();
  for (const [i, { asset: name, available, pending }] of rows(json, problems).entries()) {
    const at = `balances[${i}]`;
    const asset = parseAsset(name);
    if (!asset.ok) addProblem(problems, `${at}.asset is not an asset's name`);
    else if (held.has(asset.value)) throw new Unreadable("must not list an asset twice").under(at);
    else
      held.set(asset.value, {
        asset: asset.value,
        available: money(available, asset.value, `${at}.available`, "any"),
        pending: pending === undefined ? undefined : money(pending, asset.value, `${at}.pending`, "any"),
      });
  }
  return [...held.values()];
};

export const accountBalance: ReadEndpoint<readonly Balance[]> = {
  path: "/private/accountBalance",
  fields: {},
  answer: balances,
  slots: row.slots,
};
