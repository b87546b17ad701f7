// A coin that is issued here stands for its fiat, and says so in its name: VCHF for CHF.

import type { Asset } from "./asset.ts";

const COIN = /^V([A-Z]{3})$/;

/** What one unit of the coin stands for; undefined of whatever is no such coin. */
export function fiatOf(asset: Asset): Asset | undefined {
  return COIN.exec(asset)?.[1] as Asset | undefined;
}
