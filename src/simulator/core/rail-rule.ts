// What a rail must satisfy before payments may come on it.

import type { Account } from "./account.ts";
import { depositAddressOf } from "./deposit.ts";
import { type House, issuedOn, isUsable, shown } from "./house.ts";
import type { RailForm } from "./rail-form.ts";

type Wallet = Pick<RailForm, "asset" | "blockchain" | "destination">;

const COUNTRY = /^[A-Z]{2}$/;
const BANK_ACCOUNT = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}$/;

/** Why a rail that was understood does not work. */
export function whyRejected(house: House, form: RailForm): string | undefined {
  const { type, sender, destination, asset, currency, blockchain } = form;
  const issued = issuedOn(house, asset, blockchain);
  if (typeof issued === "string") return `instructions: ${issued}`;
  if (currency !== issued.listing.reference)
    return `instructions: currency of ${asset} must be ${issued.listing.reference}, was ${shown(currency)}`;
  if (!COUNTRY.test(sender.country)) return `sender: country must be two capital letters, was ${shown(sender.country)}`;
  if (!house.settings.railCountries.includes(sender.country)) return `sender: country ${sender.country} is not served`;
  if (sender.type !== "company") return `sender: partytype must be company, was ${shown(sender.type)}`;
  if (sender.name.trim() === "") return "sender: name must not be blank";
  if (type === "StablecoinToFiat" && !BANK_ACCOUNT.test(destination))
    return `bankaccount: destination must be an IBAN without blanks, was ${shown(destination)}`;
  return undefined;
}

/** A wallet that may receive: whitelisted and confirmed, or the caller's own deposit address here. */
export function isReachable(house: House, account: Account, rail: RailForm): boolean {
  return isUsable(account, rail.asset, rail.blockchain, rail.destination) || isOwn(house, account, rail);
}

export function isOwn({ settings }: House, account: Account, rail: Wallet): boolean {
  return rail.destination === depositAddressOf(settings.seed, account.key, rail.asset, rail.blockchain);
}
