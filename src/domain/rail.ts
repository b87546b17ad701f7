// A payment rail: a standing route between a bank account and a wallet. It is a registration and moves no money itself.

import type { Asset } from "./asset.ts";
import { settlementOf } from "./settlement-status.ts";
import type { Millis } from "./time.ts";

export type Party = { readonly name: string; readonly country: string; readonly type: string };

export type RailRequest = {
  readonly type: "FiatToStablecoin" | "StablecoinToFiat";
  readonly sender: Party;
  readonly destination: string;
  /** Only for a wallet. */
  readonly memo: string | undefined;
  readonly asset: Asset;
  readonly currency: Asset;
  readonly blockchain: string;
};

/** An approved rail, with the data to recognise it. */
export type RailIntent = RailRequest & {
  /** Ids of all rails that the venue listed before it was sent. */
  readonly known: readonly string[];
  /** Its wallet is our deposit address at the venue: payments on it are credited to the account. */
  readonly toAccount?: boolean | undefined;
};

export type Rail = { readonly railId: string; readonly status: string; readonly reason: string | undefined };

/** Our own status for a rail that a person reports and the venue's list does not show. */
export const UNLISTED = "not listed yet";

export function isRejected({ status }: Pick<Rail, "status">): boolean {
  return settlementOf(status) === "rejected";
}

/** Whether the rail accepts payments. */
export function isWorking({ status }: Pick<Rail, "status">): boolean {
  return settlementOf(status) === "pending";
}

/** Whether rails may be used: the venue's whitelist as first seen, the reason of a freeze, or a person's release. */
export type RailsRecord = {
  readonly kind: "rails";
  readonly at: Millis;
  readonly state: "seen" | "frozen" | "released";
  /** One line for each address; absent if the record is not about the whitelist. */
  readonly whitelist: readonly string[] | undefined;
  readonly reason: string;
  readonly by: string;
  /** The rows of payments for which rails are frozen. */
  readonly about?: readonly string[] | undefined;
};
