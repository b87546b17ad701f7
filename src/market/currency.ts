// The fiat currencies: their markets close at weekends, unlike those of coins.

import { assetsOf, type PairSymbol } from "../domain/asset.ts";
import { standsFor } from "../domain/coin.ts";

/** A coin against its own fiat: its price may legitimately be unchanged for minutes. */
export function isPegged(symbol: PairSymbol): boolean {
  const { base, quote } = assetsOf(symbol);
  return standsFor(base) === quote || standsFor(quote) === base;
}
