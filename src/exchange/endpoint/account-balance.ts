// POST /private/accountBalance: what the account holds. An asset whose name is not one of ours can be left out (it is
// never traded); an amount that cannot be read fails the reading, and a negative one is read, so that it can be shown.

import { parseAsset } from "../../domain/asset.ts";
import type { Balance } from "../../domain/balance.ts";
import {
  addProblem,
  amount,
  type Decoder,
  list,
  money,
  optional,
  type Read,
  record,
  Unreadable,
  word,
} from "../wire/decoder.ts";
import type { ReadEndpoint } from "./endpoint.ts";

const row = record(
  { asset: word, available: amount, pending: optional(amount) },
  { symbol: "asset", currency: "asset", available_balance: "available", pending_balance: "pending" },
);

const answer = record({ balances: list(row) });

const balances: Decoder<readonly Balance[]> = (json, notes) => {
  const held = new Map<string, Balance>();
  for (const [i, entry] of answer(json, notes).balances.entries()) {
    const balance = balanceOf(entry, `balances[${i}]`);
    if (balance === undefined) addProblem(notes, `balances[${i}].asset is not an asset's name`);
    else if (held.has(balance.asset)) throw new Unreadable("must not list an asset twice").under(`balances[${i}]`);
    else held.set(balance.asset, balance);
  }
  return [...held.values()];
};

export const accountBalance: ReadEndpoint<readonly Balance[]> = {
  path: "/private/accountBalance",
  fields: {},
  answer: balances,
};

function balanceOf(entry: Read<typeof row>, at: string): Balance | undefined {
  const asset = parseAsset(entry.asset);
  if (!asset.ok) return undefined;
  return {
    asset: asset.value,
    available: money(entry.available, asset.value, `${at}.available`, "any"),
    pending: entry.pending === undefined ? undefined : money(entry.pending, asset.value, `${at}.pending`, "any"),
  };
}
