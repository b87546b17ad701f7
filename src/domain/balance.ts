// A balance as the venue reports it. Only `available` is spendable; an unknown pending amount is unknown, not zero.

import type { Asset } from "./asset.ts";
import type { Money } from "./money/money.ts";

export type Balance = {
  readonly asset: Asset;
  readonly available: Money;
  readonly pending: Money | undefined;
};
