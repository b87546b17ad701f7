// New tokens against money on account. A mint has no id of ours: the venue's request id names it.

import type { Asset } from "./asset.ts";
import type { Money, Quantity } from "./money/money.ts";
import { settlementOf } from "./settlement-status.ts";
import type { Millis } from "./time.ts";

export type MintRequest = {
  readonly asset: Asset;
  readonly blockchain: string;
  readonly quantity: Quantity;
  /** A whitelisted wallet of ours; undefined brings the tokens onto the account. */
  readonly destination?: string | undefined;
};

/** A mint that was approved, and what is needed to recognise it: it cannot be asked for by a name. */
export type MintIntent = MintRequest & {
  /** What may leave at most, fee included; its asset pays for the mint. */
  readonly spentMax: Money;
  readonly feeMax: Money;
  /** Ids of all supply changes that the venue listed before it was sent. */
  readonly known: readonly string[];
};

/** One that happened or may have. */
export type MadeMint = MintIntent & { readonly intendedAt: Millis };

/** A mint that was found in the list of supply changes has no amounts there; the answer to the request has them. */
export type MintRecord = {
  readonly requestId: string;
  readonly transactionId: string | undefined;
  readonly fee: Money | undefined;
  readonly spent: Money | undefined;
  /** The venue's word of how far it is, verbatim, and why; undefined before it was listed. */
  readonly status?: string | undefined;
  readonly reason?: string | undefined;
};

/** Under any other word it is still on its way. */
export function hasSettled({ status }: Pick<MintRecord, "status">): boolean {
  return status !== undefined && settlementOf(status) === "settled";
}
