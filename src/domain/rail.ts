// A payment rail: a standing way between a bank account and a wallet. It is a registration and moves no money itself.

import type { Asset } from "./asset.ts";

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
};

export type Rail = { readonly railId: string; readonly status: string; readonly reason: string | undefined };

/** The only words that mean something: any other is waited for like `held`. */
export function isRejected({ status }: Pick<Rail, "status">): boolean {
  return status.toLowerCase() === "rejected";
}

export function isWorking({ status }: Pick<Rail, "status">): boolean {
  return status.toLowerCase() === "pending";
}
