// The lists that the interface does not show, as a profile reads them: shapes from the endpoints, statuses translated.

import type { Asset } from "../domain/asset.ts";
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
import { mapped } from "./wire/decoder.ts";

export function listEndpoints({ profile, priceDecimals, instruments = {} }: ListParts) {
  const words = statusWords(profile.statuses);
  const { pairStatusMissing } = profile;
  return {
    pairs: tradingPairs({ pairStatusMissing, reword: words.pair, declared: instruments, priceDecimals }),
    quotes,
    orders: worded(queryOrders(profile), words.history),
    trades: worded(queryTrades(profile), words.history),
    rails: worded(queryPaymentRails, words.settlement),
    payments: worded(queryPayments(profile), words.settlement),
    addresses: withdrawAddresses,
  };
}

export type ListParts = {
  readonly profile: Profile;
  /** For pairs whose price decimals the venue does not state. */
  readonly priceDecimals: number;
  /** What the configuration says of instruments that the venue's list does not describe. */
  readonly instruments?: DeclaredInstruments;
};

export function supplyChangesOf(asset: Asset, profile: Profile): ReadEndpoint<readonly SupplyChange[]> {
  return worded(querySupplyChanges(asset, profile), statusWords(profile.statuses).settlement);
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
