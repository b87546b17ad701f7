// New tokens against money on account. A mint has no id of ours: the venue's request id names it.

import type { Asset } from "./asset.ts";
import type { Money, Quantity } from "./money/money.ts";

export type MintRequest = { readonly asset: Asset; readonly blockchain: string; readonly quantity: Quantity };

/** A mint that was found in the list of supply changes has no amounts there; the answer to the request has them. */
export type MintRecord = {
  readonly requestId: string;
  readonly transactionId: string | undefined;
  readonly fee: Money | undefined;
  readonly spent: Money | undefined;
};
