// Which of the pairs that the limits allow cannot be traded at the venue now, in one way for all who tell it. Limits that nobody has
// written, those of paper mode, name more than a venue may have: of them one counts only where it is listed.

import type { Instrument } from "../../domain/instrument.ts";
import { printable } from "../../domain/sanitise.ts";

export type MissingPair<S extends string = string> = { readonly symbol: S; readonly word: string };

/** `isNamed`: somebody has named it, or has seen it listed. */
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
