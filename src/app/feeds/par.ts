// Which pairs par is a source of fair value of, and whether the venue shows quotes.

import type { Config } from "../../config/schema.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import { resolveProfile } from "../../exchange/profile.ts";

type Par = { readonly bandBps: number; readonly isAlone: boolean };

/** Par bands of paper mode, in basis points: the simulator's two coins against their own fiat. */
const PAPER_PAR: Readonly<Record<string, number>> = { "VCHF/CHF": 50, "VGBP/GBP": 50 };

/** False if the profile says that the venue shows none. */
export function hasQuotes({ venue }: Pick<Config, "venue">): boolean {
  return resolveProfile(venue.profile).quotes !== "absent";
}

/**
 * The pairs for which par is a source of fair value, the band around it that the venue's quote must keep, and whether par
 * suffices without a quote.
 */
export function parOf({ mode, market }: Config): ReadonlyMap<PairSymbol, Par> {
  const bands = market.par ?? (mode === "paper" ? PAPER_PAR : {});
  const alone = market.parFair ?? (mode === "paper" && market.par === undefined ? Object.keys(PAPER_PAR) : []);
  return new Map(
    Object.entries(bands).map(([symbol, bandBps]) => [
      symbol as PairSymbol,
      { bandBps, isAlone: alone.includes(symbol) },
    ]),
  );
}
