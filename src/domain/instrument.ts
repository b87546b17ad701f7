// A tradable pair as the venue lists it, with the grids an order must lie on.

import type { Asset, PairSymbol } from "./asset.ts";
import type { Quantity } from "./money/money.ts";

export type Instrument = {
  readonly symbol: PairSymbol;
  readonly base: Asset;
  readonly quote: Asset;
  /** Only `online` is tradable; any other word of the venue is kept as it came. */
  readonly status: string;
  readonly quantityDecimals: number;
  readonly priceDecimals: number;
  readonly quantityMin: Quantity;
};
