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

/** Coins of any issuer that stand for it. */
export function coinsOf(currency: string): readonly Asset[] {
  const others = [...COINS].flatMap(([coin, of]) => (of === currency ? [coin as Asset] : []));
  return [`V${currency}` as Asset, ...others];
}

/**
 * Who issues an asset: this venue all that are named after their fiat. One that is in no list counts as issued by itself;
 * undefined for fiat.
 */
export function issuerOf(asset: Asset): string | undefined {
  if (fiatOf(asset) !== undefined) return VENUE;
  if (isCurrency(asset)) return undefined;
  return CIRCLE.has(asset) ? "Circle" : asset;
}

const CIRCLE: ReadonlySet<string> = new Set(["USDC", "EURC"]);

export const VENUE = "venue";

const CURRENCIES: ReadonlySet<string> = new Set(
  "AUD BGN BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR".split(
    " ",
  ),
);

/** A fiat currency. */
export function isCurrency(asset: Asset): boolean {
  return CURRENCIES.has(asset);
}
