// The lists that the interface does not show, as a profile reads them: its own names of fields are replaced by ours.

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
import type { Profile } from "./profile.ts";
import { renamed } from "./wire/decoder.ts";

export function listEndpoints({ profile, priceDecimals, instruments = {} }: ListParts) {
  const { fields } = profile;
  return {
    pairs: named(tradingPairs({ ...profile, declared: instruments, priceDecimals }), fields),
    quotes: named(quotes, fields),
    orders: named(queryOrders(profile), fields),
    trades: named(queryTrades(profile), fields),
    rails: named(queryPaymentRails(profile), fields),
    payments: named(queryPayments(profile), fields),
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
  return named(querySupplyChanges(asset, profile), profile.fields);
}
