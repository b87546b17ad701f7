// What is wrong with references, in words: for status, page and metrics. Nothing is decided by it.

import type { PairSymbol } from "../domain/asset.ts";
import type { Pricing } from "./fair.ts";

export type Complaint = { readonly source: string; readonly symbol: PairSymbol; readonly text: string };

export function complaintsOf({ pairs }: Pricing): readonly Complaint[] {
  return [...pairs.values()].flatMap(({ symbol, references, guards }) =>
    guards.flatMap(({ refusal, isBad }, place) => {
      const source = references[place];
      const text =
        refusal ?? (isBad ? "not good for long enough yet" : source?.seen === "held" ? "jumping" : undefined);
      return source === undefined || text === undefined
        ? []
        : [{ source: source.name, symbol, text: `${symbol} is ${text}` }];
    }),
  );
}
