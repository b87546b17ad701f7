// Where coins and money may be sent: only to what stands on our own list, and a wallet only if the venue has it whitelisted
// and confirmed as well.

import type { Asset } from "../domain/asset.ts";
import { printable } from "../domain/outside-text.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { WithdrawAddress } from "../exchange/port.ts";

export type Wallet = {
  readonly kind: "wallet";
  readonly chain: string;
  readonly address: string;
  /** Under which the venue must have it, to the letter; unset accepts any. */
  readonly label: string | undefined;
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

/** Why the venue would not send there. Addresses differ in case by chain only for people: the letters must be the same. */
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
