// What the venue says we hold. Only `available` is ever spendable; an unknown pending part is unknown, not zero.

import type { Asset } from "./asset.ts";
import type { Money } from "./money/money.ts";

export type Balance = {
  readonly asset: Asset;
  readonly available: Money;
  readonly pending: Money | undefined;
};
