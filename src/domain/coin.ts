// A coin that is issued here stands for its fiat, and says so in its name: VCHF for CHF.

import type { Asset } from "./asset.ts";

const COIN = /^V[A-Z]{3}$/;

/** What one unit of the coin stands for; undefined of whatever is no such coin. */
export function fiatOf(asset: Asset): Asset | undefined {
  return COIN.test(asset) ? (asset.slice(1) as Asset) : undefined;
}

/** Coins of others, and the currency each stands for. */
const COINS: ReadonlyMap<string, string> = new Map([
  ["USDC", "USD"],
  ["USDT", "USD"],
  ["PYUSD", "USD"],
  ["DAI", "USD"],
  ["EURC", "EUR"],
]);

/** The currency that a coin stands for, whoever issues it. */
export function standsFor(asset: Asset): string | undefined {
  return COINS.get(asset) ?? fiatOf(asset);
}
