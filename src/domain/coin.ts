// A coin issued by this venue is named after its fiat: VCHF for CHF.

import type { Asset } from "./asset.ts";

const COIN = /^V[A-Z]{3}$/;

/** The fiat that one coin stands for; undefined for any other asset. */
export function fiatOf(asset: Asset): Asset | undefined {
  return COIN.test(asset) ? (asset.slice(1) as Asset) : undefined;
}

/** Coins of other issuers, with their currencies. */
const COINS: ReadonlyMap<string, string> = new Map([
  ["USDC", "USD"],
  ["USDT", "USD"],
  ["PYUSD", "USD"],
  ["DAI", "USD"],
  ["EURC", "EUR"],
]);

/** The currency that a coin stands for, of any issuer. */
export function standsFor(asset: Asset): string | undefined {
  return COINS.get(asset) ?? fiatOf(asset);
}
