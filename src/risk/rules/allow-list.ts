// RC19: only the pairs that are listed in the limits, and only while the venue has them online.

import type { PairSymbol } from "../../domain/asset.ts";
import { PASS, type Rule } from "../rule.ts";
import { refuse } from "../ruling.ts";

export function allowList(symbols: ReadonlySet<PairSymbol>): Rule {
  const listed = [...symbols].join(", ");
  return {
    code: "RC19",
    review({ symbol, instrument }) {
      if (!symbols.has(symbol)) return refuse("RC19", "pair is", symbol, listed);
      if (instrument.symbol !== symbol) return refuse("RC19", `pair of ${symbol} is`, instrument.symbol, symbol);
      return instrument.status === "online" ? PASS : refuse("RC19", `${symbol} is`, instrument.status, "online");
    },
  };
}
