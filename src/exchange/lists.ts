// The lists that the interface does not show, as a profile reads them: shapes from the endpoints, statuses translated.

import type { Asset } from "../domain/asset.ts";
import { accountBalance } from "./endpoint/account-balance.ts";
import type { ReadEndpoint } from "./endpoint/endpoint.ts";
import { queryOrders } from "./endpoint/query-orders.ts";
import { queryPaymentRails } from "./endpoint/query-payment-rails.ts";
import { queryPayments } from "./endpoint/query-payments.ts";
import { querySupplyChanges } from "./endpoint/query-supply-changes.ts";
import { queryTrades } from "./endpoint/query-trades.ts";
import { quotes } from "./endpoint/quotes.ts";
import { type DeclaredInstruments, tradingPairs } from "./endpoint/trading-pairs.ts";
import { withdrawAddresses } from "./endpoint/withdraw-addresses.ts";
import type { SupplyChange } from "./port.ts";
import { type Profile, type Reword, statusWords } from "./profile.ts";
import { mapped, renamed } from "./wire/decoder.ts";

export function listEndpoints({ profile, priceDecimals, instruments = {} }: ListParts) {
  const words = statusWords(profile.statuses);
  const { pairStatusMissing, fields } = profile;
  return {
    pairs: named(tradingPairs({ pairStatusMissing, reword: words.pair, declared: instruments, priceDecimals }), fields),
    quotes: named(quotes, fields),
    orders: named(worded(queryOrders(profile), words.history), fields),
    trades: named(worded(queryTrades(profile), words.history), fields),
    rails: named(worded(queryPaymentRails, words.settlement), fields),
    payments: named(worded(queryPayments(profile), words.settlement), fields),
    addresses: named(withdrawAddresses, fields),
    balances: named(accountBalance, fields),
  };
}

/** The endpoint with the venue's names of fields replaced by ours. */
function named<T>(endpoint: ReadEndpoint<T>, fields: Profile["fields"]): ReadEndpoint<T> {
  const { answer } = endpoint;
  return { ...endpoint, answer: (json, problems) => answer(json && renamed(json, fields), problems) };
}

export type ListParts = {
  readonly profile: Profile;
  /** For pairs whose price decimals the venue does not state. */
  readonly priceDecimals: number;
  /** What the configuration says of instruments that the venue's list does not describe. */
  readonly instruments?: DeclaredInstruments;
};

export function supplyChangesOf(asset: Asset, profile: Profile): ReadEndpoint<readonly SupplyChange[]> {
  return named(worded(querySupplyChanges(asset, profile), statusWords(profile.statuses).settlement), profile.fields);
}

/** The endpoint with the venue's statuses translated to ours. */
function worded<R extends { readonly status: string | undefined }>(
  endpoint: ReadEndpoint<readonly R[]>,
  reword: Reword,
): ReadEndpoint<readonly R[]> {
  const rowOf = (row: R): R => {
    const status = row.status === undefined ? undefined : reword(row.status);
    return status === row.status ? row : { ...row, status };
  };
  return { ...endpoint, answer: mapped(endpoint.answer, (rows) => rows.map(rowOf)) };
}
