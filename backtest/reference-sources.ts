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

type Grounds = Pick<BacktestOptions, "recordings" | "references" | "prices" | "funds"> & {
  readonly limits: Pick<Limits, "symbols" | "currency" | "referenceSourcesMin">;
};

/** Of pairs that are recorded and that synthetic feeds would tell too. */
export function recordedSources(grounds: Grounds): readonly Sources[] {
  const sources = countedSources(grounds);
  const wanted = wantedPairs(grounds, sources);
  const told = new Set(toldBy(grounds));
  return sources.filter(({ symbol }) => wanted.has(symbol) && told.has(symbol));
}

/** What synthetic feeds tell of such a run. */
export function syntheticPairs(grounds: Grounds): ReadonlySet<PairSymbol> {
  const sources = countedSources(grounds);
  const alone = new Set(sources.filter(standsAlone).map(({ symbol }) => symbol));
  return new Set([...wantedPairs(grounds, sources)].filter((symbol) => !alone.has(symbol)));
}

function countedSources({ recordings, references, prices, limits }: Grounds): readonly Sources[] {
  const told = withoutCopies(recordings.map((recording) => asQuotedBy(references, recording)).filter(isReference));
  const symbols = new Set(told.map(({ source }) => source.symbol));
  return [...symbols].map((symbol) => ({
    symbol,
    recorded: told.filter(({ source }) => source.symbol === symbol).length,
    needed: neededOf(symbol, limits, prices),
  }));
}

/** A way that was recorded by as many as it needs is one as well: where it is there, nothing synthetic stands beside it. */
function wantedPairs(grounds: Grounds, sources: readonly Sources[]): ReadonlySet<PairSymbol> {
  const { limits, funds } = grounds;
  const alone = sources.filter(standsAlone).map(({ symbol }) => symbol);
  return ratePairs(limits, [...toldBy(grounds), ...alone], Object.keys(funds));
}

function toldBy({ references }: Grounds): readonly PairSymbol[] {
  return references.flatMap(({ symbols }) => symbols);
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
