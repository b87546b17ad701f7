// RC19: only the pairs that are listed in the limits, and only while the venue has them online.

import type { PairSymbol } from "../../domain/asset.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { PASS, type Rule } from "../rule.ts";
import { refuse } from "../ruling.ts";

export function allowList(symbols: ReadonlySet<PairSymbol>): Rule {
  const listed = [...symbols].join(", ");
  /** The last that passed: an instrument never changes. */
  let fine: Instrument | undefined;
  return {
    code: "RC19",
    review({ symbol, instrument }) {
      if (instrument === fine && symbol === instrument.symbol) return PASS;
      if (!symbols.has(symbol)) return refuse("RC19", "pair is", symbol, listed);
      if (instrument.symbol !== symbol) return refuse("RC19", `pair of ${symbol} is`, instrument.symbol, symbol);
      if (instrument.status !== "online") return refuse("RC19", `${symbol} is`, instrument.status, "online");
      fine = instrument;
      return PASS;
    },
  };
}
