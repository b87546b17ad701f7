// How prices are judged: bands, sources, jumps and weekends from the section `market`.

import { statSync } from "node:fs";
import { sha256Of } from "../../../backtest/data/digest.ts";
import type { PriceRules } from "../../bot/core.ts";
import type { Config } from "../../config/schema.ts";
import type { Reference } from "../../config/section/reference.ts";
import { assetsOf, type PairSymbol } from "../../domain/asset.ts";
import { waysBetween } from "../../market/cross.ts";
import { isCurrency, isPegged } from "../../market/currency.ts";
import { FxWeek } from "../../market/fx-week.ts";
import { priceKey } from "../../market/pricing.ts";

export function priceRulesOf({ mode, market }: Pick<Config, "mode" | "market">): PriceRules {
  const { references, bands, sourcesMin, frozenMsMax, leapBps, holdMs } = market;
  const measures = references.filter((feed) => feed.kind === "ecb");
  const prices = references.filter((feed) => feed.kind !== "ecb");
  const legs = prices.flatMap((feed) =>
    derivedBy(feed).map((symbol) => [priceKey(feed.name, symbol), legsOf(feed, symbol)] as const),
  );
  const weekend = weekendOf(mode, market);
  return {
    bands: new Map(Object.entries(bands) as [PairSymbol, { low: number; high: number }][]),
    sourcesMinOf: new Map(Object.entries(sourcesMin) as [PairSymbol, number][]),
    origins: originsOf(references),
    anchors: new Set(measures.map(({ name }) => name)),
    ...(measures.length === 0 ? {} : { anchorBps: Math.min(...measures.map(({ bandBps }) => bandBps)) }),
    measuredBy: new Map(
      measures.flatMap(({ name, symbols }) => symbols.map((symbol) => [symbol as PairSymbol, name] as const)),
    ),
    ...(frozenMsMax === undefined ? {} : { frozenMsMax }),
    frozenMsMaxOf: new Map(
      prices.flatMap((feed) =>
        toldBy(feed).map((symbol) => [priceKey(feed.name, symbol), frozenMsMaxOf(feed, symbol, frozenMsMax)] as const),
      ),
    ),
    weekly: new Set(legs.flatMap(([key, symbols]) => (symbols.some(isOfCurrencies) ? [key] : []))),
    legsOf: new Map(legs),
    leapBps,
    holdMs,
    ...(weekend === undefined ? {} : { weekend }),
  };
}

type Prices = Exclude<Reference, { kind: "ecb" }>;

/** The price of a coin in its own currency may stay unchanged longer than others. */
const PEGGED_MS = 300_000;
/**
 * How long a price of each kind may stay unchanged. An order book moves many times a minute; the rows of a file may
 * not.
 */
const FROZEN_MS: Readonly<Record<Prices["kind"], number>> = {
  "kraken-socket": 60_000,
  "kraken-rest": 60_000,
  ccxt: 120_000,
  recorded: 300_000,
};

export function frozenMsMaxOf(feed: Prices, symbol: PairSymbol, all: number | undefined): number {
  const usual = isPegged(symbol) ? Math.max(PEGGED_MS, FROZEN_MS[feed.kind]) : FROZEN_MS[feed.kind];
  return feed.frozenMsMax ?? all ?? usual;
}

function toldBy(feed: Prices): readonly PairSymbol[] {
  return [...feed.symbols, ...derivedBy(feed)] as PairSymbol[];
}

function derivedBy(feed: Prices): readonly PairSymbol[] {
  return "derive" in feed ? (feed.derive as PairSymbol[]) : [];
}

/**
 * All legs of all ways to derive the pair: with a leg of two currencies it stands still at weekends, and one wrong leg
 * makes it wrong.
 */
function legsOf(feed: Prices, derived: PairSymbol): readonly PairSymbol[] {
  const listed = feed.symbols.map((symbol) => ({ symbol: symbol as PairSymbol }));
  return [...new Set(waysBetween(derived, listed).flatMap((way) => way.map(({ prices }) => prices.symbol)))];
}

function isOfCurrencies(symbol: PairSymbol): boolean {
  const { base, quote } = assetsOf(symbol);
  return isCurrency(base) && isCurrency(quote);
}

/**
 * The origin of each feed by name: Kraken's two readers and ccxt's count as one exchange; files count as one if their
 * contents are equal, regardless of name and links.
 */
export function originsOf(references: readonly Reference[]): ReadonlyMap<string, string> {
  const files = references.flatMap((feed) => (feed.kind === "recorded" ? [feed.file] : []));
  return new Map(references.map((feed) => [feed.name, originOf(feed, files)]));
}

function originOf(feed: Reference, files: readonly string[]): string {
  if (feed.kind === "kraken-rest" || feed.kind === "kraken-socket") return "exchange kraken";
  if (feed.kind === "ccxt") return `exchange ${feed.exchange}`;
  if (feed.kind !== "recorded") return `feed ${feed.name}`;
  return `file ${files.find((other) => isSameContent(other, feed.file)) ?? feed.file}`;
}

/** Reads two files only if they may be equal; a missing file is reported by the feed itself. */
function isSameContent(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }));
  if (first === undefined || second === undefined) return false;
  if (first.dev === second.dev && first.ino === second.ino) return true;
  if (!first.isFile() || !second.isFile() || first.size !== second.size) return false;
  return sha256Of(one) === sha256Of(other);
}

/** The simulator's market never closes unless configured to. */
function weekendOf(mode: Config["mode"], { weekend, weekendCollarBps, holidays }: Config["market"]) {
  const chosen = weekend ?? (mode === "live" ? "closed" : "open");
  if (chosen === "open") return undefined;
  return { week: new FxWeek(holidays), collarBps: chosen === "collar" ? weekendCollarBps : undefined };
}
