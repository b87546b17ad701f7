// Mints coins against money on the account. A mint has no id of ours: the venue's request id identifies it.

import type { Asset } from "./asset.ts";
import type { Money, Quantity } from "./money/money.ts";
import { settlementOf } from "./settlement-status.ts";
import type { Millis } from "./time.ts";

export type MintRequest = {
  readonly asset: Asset;
  readonly blockchain: string;
  readonly quantity: Quantity;
  /** A whitelisted wallet of ours; undefined credits the coins to the account. */
  readonly destination?: string | undefined;
  /** The maximum amount spent; its asset is named to a venue whose requests say what pays. */
  readonly spentMax?: Money | undefined;
};

/** An approved mint, with the data to recognise it: it cannot be queried by an id. */
export type MintIntent = MintRequest & {
  /** The maximum amount spent, fee included; its asset pays for the mint. */
  readonly spentMax: Money;
  readonly feeMax: Money;
  /** Ids of all supply changes that the venue listed before the mint was sent. */
  readonly known: readonly string[];
};

/** A mint that happened or may have happened. */
export type MadeMint = MintIntent & { readonly intendedAt: Millis };

/** A mint found in the list of supply changes has no amounts; the answer to the request has them. */
export type MintRecord = {
  readonly requestId: string;
  readonly transactionId: string | undefined;
  readonly fee: Money | undefined;
  readonly spent: Money | undefined;
  /** The venue's status, verbatim, and its reason; undefined before the mint was listed. */
  readonly status?: string | undefined;
  readonly reason?: string | undefined;
};

/** With any other status it is still in transit. */
export function hasSettled({ status }: Pick<MintRecord, "status">): boolean {
  return status !== undefined && settlementOf(status) === "settled";
}
