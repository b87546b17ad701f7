// The largest number of sources of fair value that a pair can have by its configuration, counted as `market/pricing.ts`
// counts the live ones.

import { ratePairs } from "../../bot/core.ts";
import { limitsOf } from "../../config/limits-of.ts";
import type { Config } from "../../config/schema.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import { waysBetween } from "../../market/cross.ts";
import { DEFAULT_REFERENCES } from "../../simulator/market/reference.ts";
import { hasQuotes, parOf } from "./par.ts";
import { originsOf } from "./price-rules.ts";

export type PoorPair = { readonly symbol: PairSymbol; readonly sources: number; readonly needed: number };

/** Tradable pairs that can never have a fair value: every order on them is refused. */
export function poorPairs(config: Config): readonly PoorPair[] {
  const { symbols, referenceSourcesMin } = limitsOf(config);
  const tellers = tellersOf(config);
  const needed = (symbol: PairSymbol): number => Math.max(referenceSourcesMin, config.market.sourcesMin[symbol] ?? 0);
  const own = (symbol: PairSymbol): number => tellers.get(symbol)?.size ?? 0;
  const sure = [...tellers.keys()].filter((symbol) => own(symbol) >= needed(symbol)).map((symbol) => ({ symbol }));
  const sourcesOf = (symbol: PairSymbol): number => {
    if (tellers.has(symbol)) return own(symbol);
    const ways = waysBetween(symbol, sure).map((way) => Math.min(...way.map(({ prices }) => own(prices.symbol))));
    return Math.max(0, ...ways);
  };
  return symbols
    .map((symbol) => symbol as PairSymbol)
    .map((symbol) => ({ symbol, sources: sourcesOf(symbol), needed: needed(symbol) }))
    .filter(({ sources, needed }) => sources < needed);
}

export function poorText({ symbol, sources, needed }: PoorPair): string {
  const have = sources === 0 ? "no source of fair value" : `${sources} of the ${needed} sources that fair value needs`;
  return `${symbol} can have ${have}, and no order on it passes`;
}

export const MORE_SOURCES =
  "add reference feeds for it to market.references; switch par on for a coin against its own fiat (market.par, and market.parFair where the venue shows no quotes); or lower risk.referenceSourcesMin or market.sourcesMin";

/** As many as can be required. */
const PAR_ALONE = [..."0123456789"];

/** The possible sources by pair; without quotes par is as many as are needed where `market.parFair` names the pair. */
function tellersOf(config: Config): ReadonlyMap<PairSymbol, ReadonlySet<string>> {
  const isQuoted = hasQuotes(config);
  const tellers = new Map<PairSymbol, Set<string>>();
  const tell = (symbol: PairSymbol, source: string): unknown =>
    tellers.set(symbol, (tellers.get(symbol) ?? new Set()).add(source));
  for (const [symbol, { isAlone }] of parOf(config))
    for (const source of isQuoted ? ["par", "venue"] : isAlone ? PAR_ALONE : []) tell(symbol, source);
  for (const { source, symbols } of feedsOf(config)) for (const symbol of symbols) tell(symbol, source);
  return tellers;
}

type Told = { readonly source: string; readonly symbols: Iterable<PairSymbol> };

function feedsOf(config: Config): readonly Told[] {
  const { references } = config.market;
  if (references.length === 0) {
    const symbols = ratePairs(
      limitsOf(config),
      DEFAULT_REFERENCES.flatMap((feed) => feed.symbols),
    );
    return referenceNames(config).map((source) => ({ source, symbols }));
  }
  const origins = originsOf(references);
  return references.flatMap((feed) => {
    const derived = "derive" in feed ? feed.derive : [];
    return [{ source: origins.get(feed.name) ?? feed.name, symbols: [...feed.symbols, ...derived] as PairSymbol[] }];
  });
}

// The names of the reference feeds. On paper without configured feeds they are the two that every simulator serves next
// to its API.

/** Their paths at the simulator. */
export const SIMULATOR_FEEDS: readonly string[] = ["a", "b"];

export function simulatorFeed(path: string): string {
  return `simulator-${path}`;
}

export function referenceNames({ mode, market }: Pick<Config, "mode" | "market">): readonly string[] {
  if (market.references.length > 0) return market.references.map(({ name }) => name);
  return mode === "paper" ? SIMULATOR_FEEDS.map(simulatorFeed) : [];
}
