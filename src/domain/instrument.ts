// A tradable pair as the venue lists it, with the grids of its orders.

import type { Asset, PairSymbol } from "./asset.ts";
import type { Quantity } from "./money/money.ts";

export type Instrument = {
  readonly symbol: PairSymbol;
  readonly base: Asset;
  readonly quote: Asset;
  /** Only `online` is tradable; other statuses of the venue are kept verbatim. */
  readonly status: string;
  readonly quantityDecimals: number;
  readonly priceDecimals: number;
  readonly quantityMin: Quantity;
};
