// The fiat currencies: their markets close at weekends, unlike those of coins.

import { type Asset, assetsOf, type PairSymbol } from "../domain/asset.ts";
import { standsFor } from "../domain/coin.ts";

const CURRENCIES: ReadonlySet<string> = new Set(
  "AUD BGN BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR".split(
    " ",
  ),
);

/** A coin against its own fiat: its price may legitimately be unchanged for minutes. */
export function isPegged(symbol: PairSymbol): boolean {
  const { base, quote } = assetsOf(symbol);
  return standsFor(base) === quote || standsFor(quote) === base;
}

export function isCurrency(asset: Asset): boolean {
  return CURRENCIES.has(asset);
}
