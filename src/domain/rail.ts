// A payment rail: a standing way between a bank account and a wallet. It is a registration and moves no money itself.

import type { Asset } from "./asset.ts";
import { settlementOf } from "./settlement-status.ts";
import type { Millis } from "./time.ts";

export type Party = { readonly name: string; readonly country: string; readonly type: string };

export type RailRequest = {
  readonly type: "FiatToStablecoin" | "StablecoinToFiat";
  readonly sender: Party;
  readonly destination: string;
  /** Only towards a wallet. */
  readonly memo: string | undefined;
  readonly asset: Asset;
  readonly currency: Asset;
  readonly blockchain: string;
};

/** A rail that was approved, and what is needed to recognise it. */
export type RailIntent = RailRequest & {
  /** Ids of all rails that the venue listed before it was sent. */
  readonly known: readonly string[];
  /** Its wallet is our own deposit address at the venue: what is paid on it comes onto the account. */
  readonly toAccount?: boolean | undefined;
};

export type Rail = { readonly railId: string; readonly status: string; readonly reason: string | undefined };

/** Our own word, of a rail that a person says is there and that the venue's list does not show. */
export const UNLISTED = "not listed yet";

export function isRejected({ status }: Pick<Rail, "status">): boolean {
  return settlementOf(status) === "rejected";
}

/** It takes payments. */
export function isWorking({ status }: Pick<Rail, "status">): boolean {
  return settlementOf(status) === "pending";
}

/** Whether rails may be used: the venue's whitelist as it was first seen, what froze them, or a person who has looked. */
export type RailsRecord = {
  readonly kind: "rails";
  readonly at: Millis;
  readonly state: "seen" | "frozen" | "released";
  /** One line for each address; absent where it is not about them. */
  readonly whitelist: readonly string[] | undefined;
  readonly reason: string;
  readonly by: string;
};
