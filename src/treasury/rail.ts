// Builds a rail from flags and a template and names everything that is missing or impossible before anything is sent.
// Names are taken literally, and no memo is invented, because on some chains it routes money.

import { type Asset, parseAsset } from "../domain/asset.ts";
import { fiatOf } from "../domain/coin.ts";
import type { RailRequest } from "../domain/rail.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { printable } from "../domain/sanitise.ts";
import type { ListedAsset, WithdrawAddress } from "../exchange/port.ts";
import { whyNotIssued } from "./mint.ts";

export type Direction = "on" | "off";

/** The fields from a person's flags or from a template. */
export type RailParts = {
  readonly asset?: string | undefined;
  readonly currency?: string | undefined;
  readonly chain?: string | undefined;
  /** A name in our list of destinations. */
  readonly to?: string | undefined;
  readonly memo?: string | undefined;
  readonly senderName?: string | undefined;
  readonly senderCountry?: string | undefined;
  readonly senderType?: string | undefined;
};

export type RailDraft = { readonly rail: RailRequest; readonly wallet: Wallet | undefined };

const COUNTRY = /^[A-Z]{2}$/;

type NamedRail = Omit<RailRequest, "type" | "destination"> & { readonly to: string };

/** The parsed fields, if nothing is missing and everything is valid. */
export function nameRail(direction: Direction, parts: RailParts): Result<NamedRail> {
  const { asset: assetText, chain, to, memo, senderName, senderCountry, senderType = "company" } = parts;
  if (assetText === undefined) return err(missing("the coin", "--asset"));
  const asset = parseAsset(assetText);
  if (!asset.ok) return asset;
  const currency = currencyOf(asset.value, parts.currency);
  if (!currency.ok) return currency;
  if (chain === undefined) return err(missing("the chain", "--chain"));
  if (to === undefined) return err(missing("the destination", "--to"));
  if (senderName === undefined || senderName.trim() === "") return err(missing("the sender's name", "--sender-name"));
  if (senderCountry === undefined) return err(missing("the sender's country", "--sender-country"));
  if (!COUNTRY.test(senderCountry))
    return err(`the sender's country must be two capital letters, was ${printable(senderCountry, 20)}`);
  if (direction === "off" && memo !== undefined) return err("a rail to a bank has no memo");
  const sender = { name: senderName, country: senderCountry, type: senderType };
  return ok({ sender, asset: asset.value, currency: currency.value, blockchain: chain, to, memo });
}

export function draftRail(direction: Direction, parts: RailParts, destinations: Destinations): Result<RailDraft> {
  const named = nameRail(direction, parts);
  if (!named.ok) return named;
  const { to, memo, ...common } = named.value;
  const fiat = fiatOf(common.asset);
  if (fiat !== undefined && common.currency !== fiat)
    return err(`currency of ${common.asset} must be ${fiat}, was ${common.currency}`);
  if (direction === "off") {
    const bank = ownDestination(to, "bank", destinations);
    if (!bank.ok) return bank;
    const rail = { type: "StablecoinToFiat", destination: bank.value.account, memo: undefined, ...common } as const;
    return ok({ rail, wallet: undefined });
  }
  const wallet = ownDestination(to, "wallet", destinations);
  if (!wallet.ok) return wallet;
  if (wallet.value.chain !== common.blockchain)
    return err(`wallet ${to} is on ${wallet.value.chain}, the rail is for ${printable(common.blockchain, 20)}`);
  const rail = { type: "FiatToStablecoin", destination: wallet.value.address, memo, ...common } as const;
  return ok({ rail, wallet: wallet.value });
}

/** Why the venue would refuse the rail, as far as can be known here. `addresses`: its whitelist, for a wallet. */
export function whyNotRailed(
  { rail, wallet }: RailDraft,
  assets: readonly ListedAsset[],
  addresses: readonly WithdrawAddress[] | undefined,
): string | undefined {
  const unissued = whyNotIssued(rail.asset, rail.blockchain, assets);
  if (unissued !== undefined || wallet === undefined) return unissued;
  return addresses === undefined ? undefined : whyNotWhitelisted(wallet, rail.asset, addresses);
}

function currencyOf(asset: Asset, text: string | undefined): Result<Asset> {
  if (text !== undefined) return parseAsset(text);
  const fiat = fiatOf(asset);
  return fiat === undefined ? err(missing("the currency", "--currency")) : ok(fiat);
}

function missing(what: string, flag: string): string {
  return `${what} is missing: ${flag}, or a template that has it`;
}

export type Wallet = {
  readonly kind: "wallet";
  readonly chain: string;
  readonly address: string;
  /** The label that the venue's entry must have exactly; unset accepts any. */
  readonly label?: string | undefined;
};
export type BankAccount = { readonly kind: "bank"; readonly account: string };
export type Destination = Wallet | BankAccount;

export type Destinations = Readonly<Record<string, Destination>>;

export function ownDestination<K extends Destination["kind"]>(
  name: string,
  kind: K,
  destinations: Destinations,
): Result<Extract<Destination, { kind: K }>> {
  const found = Object.hasOwn(destinations, name) ? destinations[name] : undefined;
  const names = Object.keys(destinations).filter((one) => destinations[one]?.kind === kind);
  const known = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
  if (found === undefined)
    return err(`destination must stand in treasury.destinations, was ${printable(name, 60)}; ${known}`);
  return found.kind === kind
    ? ok(found as Extract<Destination, { kind: K }>)
    : err(`destination ${printable(name, 60)} must be a ${kind}, was a ${found.kind}`);
}

/** Why the venue would not send there. Addresses are compared exactly, including case. */
export function whyNotWhitelisted(
  { chain, address, label }: Wallet,
  asset: Asset,
  rows: readonly WithdrawAddress[],
): string | undefined {
  const listed = rows.filter(
    (row) => row.address === address && row.blockchain === chain && (row.asset === undefined || row.asset === asset),
  );
  const shown = `${printable(address, 80)} on ${printable(chain, 20)}`;
  if (listed.length === 0) return `wallet ${shown} must be whitelisted for ${asset} in the venue's portal, and is not`;
  const labelled = label === undefined ? listed : listed.filter((row) => row.label === label);
  const [first] = listed;
  if (labelled.length === 0)
    return `wallet ${shown} must have the label ${printable(label ?? "", 60)}, was ${printable(first?.label ?? "none", 60)}`;
  const states = labelled.map((row) => row.status ?? "unknown");
  return states.some((state) => state.toLowerCase() === "confirmed")
    ? undefined
    : `wallet ${shown} must be confirmed in the venue's portal, was ${printable(states[0] ?? "", 40)}`;
}
