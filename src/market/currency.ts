// The currencies that governments issue: their markets close at weekends, unlike those of coins.

import type { Asset } from "../domain/asset.ts";

const CURRENCIES: ReadonlySet<string> = new Set(
  "AUD BGN BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR".split(
    " ",
  ),
);

export function isCurrency(asset: Asset): boolean {
  return CURRENCIES.has(asset);
}
