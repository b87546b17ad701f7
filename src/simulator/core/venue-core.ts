// The shared parts of the venue's orders, mints and rails: ledger, listings, switches and randomness. Plain fields and
// lookups.

import type { Asset } from "../../domain/asset.ts";
import { Quantity } from "../../domain/money/money.ts";
import { createRandom } from "../../domain/random.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Market } from "../market/market.ts";
import type { Account } from "./account.ts";
import type { Chance } from "./chance.ts";
import type { Ledger, Pocket } from "./ledger.ts";
import type { AssetListing, ChainListing, Pair, Product } from "./record.ts";
import { type Answer, refused } from "./refusal.ts";
import type { VenueFaults, VenueSettings } from "./settings.ts";

export type VenueCore = {
  readonly settings: VenueSettings;
  readonly market: Market;
  readonly ledger: Ledger;
  readonly pockets: VenuePockets;
  readonly chance: Chance;
  readonly assets: Map<string, AssetListing>;
  readonly pairs: Map<string, Pair>;
  readonly accounts: Map<string, Account>;
  faults: VenueFaults;
};

/** The pockets that do not belong to callers. */
export type VenuePockets = Readonly<
  Record<"dealer" | "fees" | "inFlight" | "issuer" | "outside", (asset: Asset) => Pocket>
>;

export function venuePockets(ledger: Ledger): VenuePockets {
  return {
    // Inventory and reserves.
    dealer: ledger.pocketsOf("dealer"),
    fees: ledger.pocketsOf("fees"),
    // Spent but not yet arrived.
    inFlight: ledger.pocketsOf("in-flight"),
    // Tokens in circulation, with a negative sign.
    issuer: ledger.pocketsOf("issuer"),
    // Banks and chains.
    outside: ledger.pocketsOf("outside"),
  };
}

export function accountOf(core: VenueCore, key: string): Answer<Account> {
  const account = core.accounts.get(key);
  if (account === undefined) return refused("signature_failure", "the public key is not registered");
  return { ok: true, value: account };
}

/**
 * The most of any asset that an account may hold or move, so that no product or sum leaves the range of exact amounts.
 */
export const QUANTITY_MAX = Quantity.of("1000000000000");

/** The account of a key, if it may use the product now; without one it needs KYB only. */
export function admittedTo(core: VenueCore, key: string, product?: Product): Answer<Account> {
  const account = accountOf(core, key);
  if (!account.ok) return account;
  if (!account.value.kybCleared) return refused("kyb_required", "the account has not cleared KYB");
  if (product !== undefined && !account.value.agreements[product])
    return refused("agreement_missing", `the services agreement for ${product} is not signed`);
  return account;
}

/** The listing of a token that is issued here and of a chain that is active for it, or the problem. */
export function issuedOn(
  core: VenueCore,
  asset: string | undefined,
  blockchain: string | undefined,
): { readonly listing: AssetListing; readonly chain: ChainListing } | string {
  const listing = core.assets.get(asset ?? "");
  if (listing === undefined || !listing.issued) return `asset must be one that is issued here, was ${shown(asset)}`;
  const chain = listing.blockchains.find((one) => one.blockchain === blockchain && one.active);
  return chain === undefined
    ? `blockchain must be one of ${listing.blockchains.map((one) => one.blockchain).join(", ")}, was ${shown(blockchain)}`
    : { listing, chain };
}

/** Whether the address is whitelisted, confirmed, and has its Travel Rule data. */
export function isUsable(account: Account, asset: Asset, blockchain: string, address: string): boolean {
  return account.addresses.some(
    (row) =>
      row.asset === asset &&
      row.blockchain === blockchain &&
      row.address === address &&
      row.status === "Confirmed" &&
      row.travelRule !== undefined,
  );
}

export function shown(text: string | undefined): string {
  return text === undefined ? "missing" : JSON.stringify(printable(text, 40));
}

/** One account on one pair: the pair's listing, and the pockets that its trades move. */
export type Trader = {
  readonly account: Account;
  readonly pair: Pair;
  readonly base: Pocket;
  readonly quote: Pocket;
  readonly dealerBase: Pocket;
  readonly dealerQuote: Pocket;
  readonly fees: Pocket;
};

export function traderOf(pockets: VenuePockets, account: Account, pair: Pair): Trader {
  const { base, quote } = pair;
  return {
    account,
    pair,
    base: account.available(base),
    quote: account.available(quote),
    dealerBase: pockets.dealer(base),
    dealerQuote: pockets.dealer(quote),
    fees: pockets.fees(quote),
  };
}

/** One per account, asset and chain: derived from the seed, so that addresses need not be stored. */
export function depositAddressOf(seed: number, key: string, asset: Asset, blockchain: string): string {
  return hexOf(seed, `deposit:${key}:${asset}:${blockchain}`, 40);
}

export function hexOf(seed: number, purpose: string, digits: number): string {
  const random = createRandom(seed).fork(purpose);
  return `0x${Array.from({ length: digits }, () => random.integer(0, 15).toString(16)).join("")}`;
}
