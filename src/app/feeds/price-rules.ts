// How prices are judged: bands, sources and weekends from the section `market`.

import type { PriceRules } from "../../bot/core.ts";
import type { Config } from "../../config/schema.ts";
import type { Reference } from "../../config/section/reference.ts";
import { assetsOf, type PairSymbol } from "../../domain/asset.ts";
import { isCurrency } from "../../domain/coin.ts";
import { waysBetween } from "../../market/cross.ts";
import { FxWeek } from "../../market/fx-week.ts";
import { priceKey } from "../../market/pricing.ts";

export function priceRulesOf({ mode, market }: Pick<Config, "mode" | "market">): PriceRules {
  const { references, bands, sourcesMin } = market;
  const weekend = weekendOf(mode, market);
  return {
    bands: new Map(Object.entries(bands) as [PairSymbol, { low: number; high: number }][]),
    sourcesMinOf: new Map(Object.entries(sourcesMin) as [PairSymbol, number][]),
    origins: originsOf(references),
    weekly: new Set(
      references.flatMap((feed) =>
        derivedBy(feed).flatMap((symbol) =>
          legsOf(feed, symbol).some(isOfCurrencies) ? [priceKey(feed.name, symbol)] : [],
        ),
      ),
    ),
    ...(weekend === undefined ? {} : { weekend }),
  };
}

function derivedBy(feed: Reference): readonly PairSymbol[] {
  return "derive" in feed ? (feed.derive as PairSymbol[]) : [];
}

/**
 * All legs of all ways to derive the pair: with a leg of two currencies it stands still at weekends.
 */
function legsOf(feed: Reference, derived: PairSymbol): readonly PairSymbol[] {
  const listed = feed.symbols.map((symbol) => ({ symbol: symbol as PairSymbol }));
  return [...new Set(waysBetween(derived, listed).flatMap((way) => way.map(({ prices }) => prices.symbol)))];
}

function isOfCurrencies(symbol: PairSymbol): boolean {
  const { base, quote } = assetsOf(symbol);
  return isCurrency(base) && isCurrency(quote);
}

/** The origin of each feed by name: Kraken's own reader and ccxt's are one exchange, recordings of one file are one. */
export function originsOf(references: readonly Reference[]): ReadonlyMap<string, string> {
  return new Map(references.map((feed) => [feed.name, originOf(feed)]));
}

function originOf(feed: Reference): string {
  if (feed.kind === "kraken-rest") return "exchange kraken";
  if (feed.kind === "json") return `document ${feed.url ?? feed.file}`;
  return feed.kind === "ccxt" ? `exchange ${feed.exchange}` : `file ${feed.file}`;
}

/** The simulator's market never closes unless configured to. */
function weekendOf(mode: Config["mode"], { weekend, weekendCollarBps, holidays }: Config["market"]) {
  const chosen = weekend ?? (mode === "paper" ? "open" : "closed");
  if (chosen === "open") return undefined;
  return { week: new FxWeek(holidays), collarBps: chosen === "collar" ? weekendCollarBps : undefined };
}
