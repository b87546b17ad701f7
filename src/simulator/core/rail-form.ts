// A payment rail as it arrives, as JSON of unchecked shape, and the checks before payments may use it. A missing or
// mistyped field is a bad request; an impossible value makes a rejected rail, with the reason.

import type { Asset } from "../../domain/asset.ts";
import type { Account } from "./account.ts";
import type { RailRow } from "./record.ts";
import { type Answer, refused } from "./refusal.ts";
import { depositAddressOf, issuedOn, isUsable, shown, type VenueCore } from "./venue-core.ts";

export type RailForm = Pick<RailRow, "type" | "sender" | "destination" | "memo" | "asset" | "currency" | "blockchain">;

const TEXT_MAX = 200;

export function readRail(body: unknown): Answer<RailForm> {
  const type = textAt(body, "railtype");
  if (type !== "FiatToStablecoin" && type !== "StablecoinToFiat")
    return refused("bad_request", `railtype must be FiatToStablecoin or StablecoinToFiat, was ${shown(type)}`);
  const isOnRamp = type === "FiatToStablecoin";
  const [place, other] = isOnRamp ? (["wallet", "bankaccount"] as const) : (["bankaccount", "wallet"] as const);
  if ((valueAt(body, other) ?? undefined) !== undefined)
    return refused("bad_request", `${type} takes ${place} and no ${other}`);
  const missing: string[] = [];
  const text = (path: string): string => {
    const found = textAt(body, path);
    if (found === undefined) missing.push(path);
    return found ?? "";
  };
  const memo = valueAt(body, "wallet.memo") ?? undefined;
  const form: RailForm = {
    type,
    sender: {
      name: text("sender.partyname.name"),
      country: text("sender.address.country"),
      type: text("sender.partytype"),
    },
    destination: text(`${place}.destination`),
    memo: isOnRamp ? (memo as string | undefined) : undefined,
    asset: text("instructions.asset") as Asset,
    currency: text("instructions.currency") as Asset,
    blockchain: text("instructions.blockchain"),
  };
  if (missing.length > 0) return refused("bad_request", `${missing[0]} must be a text of 1 to ${TEXT_MAX} characters`);
  if (memo !== undefined && typeof memo !== "string") return refused("bad_request", "wallet.memo must be a text");
  return { ok: true, value: form };
}

function textAt(body: unknown, path: string): string | undefined {
  const value = valueAt(body, path);
  return typeof value === "string" && value.length >= 1 && value.length <= TEXT_MAX ? value : undefined;
}

function valueAt(body: unknown, path: string): unknown {
  let value = body;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

type Wallet = Pick<RailForm, "asset" | "blockchain" | "destination">;

export const COUNTRIES_SERVED = "AT BE CH DE DK ES FI FR GB IE IT LI LU NL NO PT SE".split(" ");
const COUNTRY = /^[A-Z]{2}$/;
const IBAN = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}$/;
const SORT_CODE_AND_ACCOUNT = /^[0-9]{2}-?[0-9]{2}-?[0-9]{2} ?[0-9]{8}$/;

/** Why a well-formed rail is rejected. */
export function whyRejected(core: VenueCore, form: RailForm): string | undefined {
  const { type, sender, destination, asset, currency, blockchain } = form;
  const issued = issuedOn(core, asset, blockchain);
  if (typeof issued === "string") return `instructions: ${issued}`;
  if (currency !== issued.listing.reference)
    return `instructions: currency of ${asset} must be ${issued.listing.reference}, was ${shown(currency)}`;
  if (!COUNTRY.test(sender.country)) return `sender: country must be two capital letters, was ${shown(sender.country)}`;
  if (!COUNTRIES_SERVED.includes(sender.country)) return `sender: country ${sender.country} is not served`;
  if (sender.type !== "company" && sender.type !== "person")
    return `sender: partytype must be company or person, was ${shown(sender.type)}`;
  if (sender.name.trim() === "") return "sender: name must not be blank";
  if (type === "FiatToStablecoin" || IBAN.test(destination)) return undefined;
  if (currency === "GBP" && SORT_CODE_AND_ACCOUNT.test(destination)) return undefined;
  const forms = `an IBAN without blanks${currency === "GBP" ? ", or a sort code and an account number" : ""}`;
  return `bankaccount: destination must be ${forms}, was ${shown(destination)}`;
}

/** A wallet that may receive: whitelisted and confirmed, or the caller's own deposit address at the venue. */
export function isReachable(core: VenueCore, account: Account, rail: RailForm): boolean {
  return isUsable(account, rail.asset, rail.blockchain, rail.destination) || isOwn(core, account, rail);
}

export function isOwn({ settings }: VenueCore, account: Account, rail: Wallet): boolean {
  return rail.destination === depositAddressOf(settings.seed, account.key, rail.asset, rail.blockchain);
}
