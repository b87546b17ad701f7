// The pairs that the limits allow and the venue does not offer for trading now. The default limits of paper mode name
// more pairs than a venue may have: such a pair counts only if the venue lists it.

import type { Instrument } from "../../domain/instrument.ts";
import { printable } from "../../domain/sanitise.ts";

export type MissingPair<S extends string = string> = { readonly symbol: S; readonly word: string };

/** `isNamed`: the configuration names the pair, or the venue has listed it before. */
export function missingPairs<S extends string>(
  wanted: readonly S[],
  instruments: readonly Instrument[],
  isNamed: (symbol: S) => boolean,
): readonly MissingPair<S>[] {
  const bySymbol = new Map(instruments.map((one): [string, Instrument] => [one.symbol, one]));
  return wanted.flatMap((symbol): readonly MissingPair<S>[] => {
    const pair = bySymbol.get(symbol);
    if (pair === undefined) return isNamed(symbol) ? [{ symbol, word: "not listed" }] : [];
    return pair.status === "online" ? [] : [{ symbol, word: printable(pair.status, 40) }];
  });
}
