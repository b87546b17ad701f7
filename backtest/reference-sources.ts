// How many sources a pair of currencies has in a run: recordings, and synthetic feeds that are made around them where those
// alone are too few for a fair value. Around two that disagree they would side with one, or with neither.

import { type PriceRules, ratePairs } from "../src/bot/core.ts";
import type { PairSymbol } from "../src/domain/asset.ts";
import type { Limits } from "../src/risk/limits.ts";
import type { BacktestOptions } from "./options.ts";
import { asQuotedBy, type Recording, withoutCopies } from "./recording.ts";

export type Sources = {
  readonly symbol: PairSymbol;
  /** How many were recorded, and how many a fair value needs. */
  readonly recorded: number;
  readonly needed: number;
};

type Grounds = Pick<BacktestOptions, "recordings" | "references" | "prices"> & {
  readonly limits: Pick<Limits, "symbols" | "currency" | "referenceSourcesMin">;
};

/** Of pairs that are recorded and that synthetic feeds would tell too. */
export function recordedSources({ recordings, references, prices, limits }: Grounds): readonly Sources[] {
  const told = withoutCopies(recordings.map((recording) => asQuotedBy(references, recording)).filter(isReference));
  const wanted = ratePairs(limits);
  const symbols = new Set(told.map(({ source }) => source.symbol));
  return [...symbols]
    .filter((symbol) => wanted.has(symbol) && references.some((feed) => feed.symbols.includes(symbol)))
    .map((symbol) => ({
      symbol,
      recorded: told.filter(({ source }) => source.symbol === symbol).length,
      needed: neededOf(symbol, limits, prices),
    }));
}

/** What synthetic feeds tell of such a run. */
export function syntheticPairs(grounds: Grounds): ReadonlySet<PairSymbol> {
  const alone = new Set(
    recordedSources(grounds)
      .filter(standsAlone)
      .map(({ symbol }) => symbol),
  );
  return new Set([...ratePairs(grounds.limits)].filter((symbol) => !alone.has(symbol)));
}

export function standsAlone({ recorded, needed }: Sources): boolean {
  return recorded >= needed;
}

function neededOf(symbol: PairSymbol, limits: Grounds["limits"], prices: PriceRules | undefined): number {
  return Math.max(limits.referenceSourcesMin, prices?.sourcesMinOf?.get(symbol) ?? 0);
}

function isReference({ role }: Recording): boolean {
  return role === "reference";
}
