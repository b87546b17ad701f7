// Recorded prices in a backtest: as the venue's own, visible only when a slot is spent on them, or as a free reference
// feed. Pairs without a recording are synthetic, around the recorded rates.

import { type Asset, assetsOf, type PairSymbol } from "../src/domain/asset.ts";
import { err, ok, type Result } from "../src/domain/result.ts";
import { type Millis, millis } from "../src/domain/time.ts";
import { DEFAULT_ASSETS, DEFAULT_PAIRS } from "../src/simulator/core/listing.ts";
import type { Market } from "../src/simulator/market/market.ts";
import { middleTrack, type Track, trackedMarket } from "../src/simulator/market/recorded.ts";
import { isJoined, worldMarket } from "../src/simulator/market/world.ts";
import type { BarSource, DataSource, QuoteSource } from "./data/source.ts";
import { sourceTrack } from "./data/source-track.ts";
import { barFeed, type Feed, quotesOf, sourceFeed } from "./replay/feed.ts";

export type Recording = {
  readonly name: string;
  readonly role: "venue" | "reference";
  readonly source: DataSource;
  /** For bars, which have one price instead of two: the distance of bid and ask from it. */
  readonly halfSpreadBps: number;
  readonly digest: string;
};

/** Pairs that the venue lists count as its prices, all others as references, unless `--as` states otherwise. */
export function roleOf(
  { symbol }: Pick<DataSource, "symbol">,
  wanted: Recording["role"] | undefined,
): Result<Recording["role"]> {
  const isListed = DEFAULT_PAIRS.some((pair) => pair.symbol === symbol);
  if (wanted === "venue" && !isListed) {
    const listed = DEFAULT_PAIRS.map((pair) => pair.symbol).join(", ");
    return err(`the venue does not list ${symbol}, so it can only be a reference; it lists ${listed}`);
  }
  return ok(wanted ?? (isListed ? "venue" : "reference"));
}

/** Pairs with recorded venue prices. */
export function recordedPairs(recordings: readonly Pick<Recording, "role" | "source">[]): readonly PairSymbol[] {
  return recordings.filter(({ role }) => role === "venue").map(({ source }) => source.symbol);
}

/** Sources are distinguished by name. Undefined when the names are valid. */
export function whyNotNamed(sources: readonly { readonly name: string }[]): string | undefined {
  const names = sources.map(({ name }) => name);
  if (names.includes("venue")) return "recorded prices must not be called venue: that is the venue's own name";
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice === undefined
    ? undefined
    : `every source of prices must have a name of its own, ${twice} is there twice`;
}

/** The venue has one price of a pair at a time. Undefined when that holds. */
export function whyNotOnce(recordings: readonly Recording[]): string | undefined {
  const own = Map.groupBy(
    recordings.filter(({ role }) => role === "venue"),
    ({ source }) => source.symbol,
  );
  const [twice] = [...own].filter(([, files]) => files.length > 1);
  if (twice === undefined) return undefined;
  const [symbol, files] = twice;
  return `the venue's prices of ${symbol} must be in one file, were in ${files.map(({ name }) => name).join(" and ")}`;
}

/**
 * Creates a new market for each reading, because a track is read forward. `closed`: the same track without rows in its
 * holes.
 */
export function recordedOver(
  fallback: Market,
  recordings: readonly Recording[],
  closed: (track: Track, name: string) => Track = (track) => track,
): Market {
  const tracks = recordings.filter(isOfTheMarket).map((one) => closed(trackOf(one), one.name));
  return marketOf(tracks, fallback);
}

/**
 * Rates between currencies move the prices of everything without a recording; all other tracks are the venue's own
 * prices.
 */
export function marketOf(tracks: readonly Track[], fallback: Market): Market {
  const one = [...Map.groupBy(tracks, ({ symbol }) => eitherWay(symbol)).values()].map(middleTrack);
  const own = one.filter(({ symbol }) => !isRate(symbol));
  const rates = ratesOf(one);
  const world = rates.length === 0 ? fallback : worldMarket(rates, fallback, { standsFor, isCurrency });
  return own.length === 0 ? world : trackedMarket(own, world);
}

/** The same text for GBP/CHF and CHF/GBP. */
export function eitherWay(symbol: PairSymbol): string {
  const { base, quote } = assetsOf(symbol);
  return [base, quote].sort().join("/");
}

/**
 * The recorded rates, plus the price of a venue pair where no recorded rate links the reference currencies of its
 * coins: next to an independent random walk, the distance of the two would be an edge that never existed.
 */
function ratesOf(tracks: readonly Track[]): readonly Track[] {
  const rates: Track[] = tracks.filter(({ symbol }) => isRate(symbol));
  for (const track of tracks) {
    const symbol = stoodFor(track.symbol);
    const { base, quote } = assetsOf(symbol);
    if (base !== quote && !isJoined(rates, base, quote)) rates.push({ symbol, find: (at) => track.find(at) });
  }
  return rates;
}

/** For the venue's recorded pairs: the rate derived from each, where no rate was recorded. */
export function followedBy(
  recordings: readonly Recording[],
): readonly { readonly rate: PairSymbol; readonly pair: PairSymbol }[] {
  const known = recordings.filter(isOfTheMarket).map(({ source: { symbol } }) => ({ symbol, find: () => undefined }));
  const recorded = known.filter(({ symbol }) => isRate(symbol)).length;
  const made = ratesOf(known).slice(recorded);
  return made.flatMap(({ symbol }) => {
    const pair = known.find((one) => stoodFor(one.symbol) === symbol);
    return pair === undefined ? [] : [{ rate: symbol, pair: pair.symbol }];
  });
}

/**
 * A rate between currencies belongs to the market whatever its source; a reference for a coin does not show the venue's
 * price.
 */
export function isOfTheMarket({ role, source }: Pick<Recording, "role" | "source">): boolean {
  return role === "venue" || isRate(source.symbol);
}

function isRate(symbol: PairSymbol): boolean {
  const { base, quote } = assetsOf(symbol);
  return isStoodFor(base) && isStoodFor(quote);
}

/** GBP/CHF for VGBP/VCHF. */
export function stoodFor(symbol: PairSymbol): PairSymbol {
  const { base, quote } = assetsOf(symbol);
  return `${standsFor(base)}/${standsFor(quote)}` as PairSymbol;
}

function standsFor(asset: Asset): Asset {
  return DEFAULT_ASSETS.find((listing) => listing.asset === asset)?.reference ?? asset;
}

/** A currency, or a coin without another reference (BTC). */
function isStoodFor(asset: string): boolean {
  return isCurrency(asset) || DEFAULT_ASSETS.some((listing) => listing.asset === asset && listing.kind === "crypto");
}

function isCurrency(asset: string): boolean {
  return asset === "USD" || DEFAULT_ASSETS.some((listing) => listing.asset === asset && listing.kind === "fiat");
}

function trackOf({ source, halfSpreadBps }: Recording): Track {
  return sourceTrack(source.kind === "quotes" ? source : asQuotes(source, "open", halfSpreadBps));
}

/**
 * An order decided on a bar meets the open of the next. As a reference a bar is one price, its close, known when it
 * closes.
 */
function asQuotes({ chunks, intervalMs, ...bars }: BarSource, price: "open" | "close", bps: number): QuoteSource {
  const lateMs = price === "open" ? 0 : intervalMs;
  return {
    ...bars,
    kind: "quotes",
    firstAt: millis(bars.firstAt + lateMs),
    lastAt: millis(bars.lastAt + lateMs),
    *chunks({ from, to } = {}) {
      const opened = {
        ...(from === undefined ? {} : { from: millis(from - lateMs) }),
        ...(to === undefined ? {} : { to: millis(to - lateMs) }),
      };
      for (const chunk of chunks(opened)) yield quotesOf(chunk, price, bps);
    },
  };
}

type Quoting = { readonly symbols: readonly PairSymbol[] };

/**
 * The recording as the bot receives it: a reference that the other feeds quote the other way round is inverted. Under
 * its own symbol it would be a second pair of the same assets with one source, and holdings valued by that pair might
 * have no worth.
 */
export function asQuotedBy(references: readonly Quoting[], recording: Recording): Recording {
  const { role, source, halfSpreadBps } = recording;
  const { base, quote } = assetsOf(source.symbol);
  const symbol = `${quote}/${base}` as PairSymbol;
  const isQuoted = (pair: PairSymbol): boolean => references.some(({ symbols }) => symbols.includes(pair));
  if (role === "venue" || isQuoted(source.symbol) || !isQuoted(symbol)) return recording;
  return {
    ...recording,
    source: turned(source.kind === "quotes" ? source : asQuotes(source, "close", halfSpreadBps), symbol),
  };
}

/** Sizes are in the other asset, and unknown for the inverted pair. */
function turned({ chunks, ...quotes }: QuoteSource, symbol: PairSymbol): QuoteSource {
  return {
    ...quotes,
    symbol,
    *chunks(span) {
      for (const { length, time, bid, ask } of chunks(span)) {
        const unknown = new Float64Array(length).fill(Number.NaN);
        const over = { bid: ask.map((price) => 1 / price), ask: bid.map((price) => 1 / price) };
        yield { symbol, length, time, ...over, bidSize: unknown, askSize: unknown };
      }
    },
  };
}

/** References, each row at its time, and the venue's bars when they close. The venue's quotes have to be requested. */
export function recordedFeeds(recordings: readonly Recording[], span: { from: Millis; to: Millis }): Feed[] {
  return recordings.flatMap(({ name, role, source, halfSpreadBps }): Feed[] => {
    if (role === "venue") return source.kind === "bars" ? [barFeed(source, { span, halfSpreadBps })] : [];
    return [sourceFeed(name, source.kind === "quotes" ? source : asQuotes(source, "close", halfSpreadBps), span)];
  });
}

/** A file under two names is not a second source. */
export function whyCopied(recordings: readonly Pick<Recording, "name" | "role" | "digest">[]): string | undefined {
  for (const [place, one] of recordings.entries()) {
    const twin = recordings.slice(0, place).find(({ role, digest }) => role === one.role && digest === one.digest);
    if (twin !== undefined) return `${twin.name} and ${one.name} are the same file, and one source of prices`;
  }
  return undefined;
}
