// Cautions at the head of a run, because every figure depends on them: ways in which recorded prices favour the
// strategy (no recorded spread or sizes, bars that stand still while finer prices move), data left
// out because one recording is shorter than the others, and settings under which nothing can be sent or the strategy
// never wakes.

import { type PriceRules, ratePairs } from "../src/bot/core.ts";
import { assetsOf, type PairSymbol } from "../src/domain/asset.ts";
import type { Limits } from "../src/risk/limits.ts";
import { isJoined } from "../src/simulator/market/world.ts";
import { whyNeverWoken } from "../src/strategy/never-woken.ts";
import { stepsOf } from "./data/gaps.ts";
import type { BacktestOptions } from "./options.ts";
import { asQuotedBy, type Recording, stoodFor } from "./recording.ts";
import { counted, duration, percent, second } from "./report/format.ts";

/** Recordings of the same period end within this of each other. */
const LOST_MS_MAX = 60_000;
const LOST_SHARE_MAX = 0.01;

type Ground = Parameters<typeof recordedSources>[0] &
  Pick<BacktestOptions, "from" | "to" | "limits" | "strategy" | "rebalancer"> &
  Partial<Pick<BacktestOptions, "par" | "market">>;

export function cautionsOf(ground: Ground): readonly string[] {
  const { recordings, from, to } = ground;
  const own = recordings.filter(({ role }) => role === "venue");
  const prices = own.flatMap((recording) => {
    const { symbol } = recording.source;
    const shown = shownBy(recording, { from, to });
    const texts = [looseText(recording, shown), frozenText(recording, recordings)];
    return texts.flatMap((text) => (text === undefined ? [] : [`${symbol}: ${text}`]));
  });
  const fewer = recordedSources(ground).filter((sources) => !standsAlone(sources));
  return [...sleeping(ground), ...shortened(ground), ...prices, ...stale(ground), ...fewer.map(fewText)];
}

function sleeping({ strategy, rebalancer, recordings, market }: Ground): readonly string[] {
  const quotes = market?.venue.quotesShown !== false;
  const bars = recordings.some(({ role, source }) => role === "venue" && source.kind === "bars");
  const why = whyNeverWoken(strategy, { quotes, bars, references: true, plans: rebalancer !== undefined });
  return why === undefined ? [] : [why];
}

/**
 * A run covers the time for which all its data exist. The rest of the longer recordings is left out, and the caution
 * names the shortest.
 */
function shortened({ recordings, from, to }: Pick<Ground, "recordings" | "from" | "to">): readonly string[] {
  const isMuch = (lostMs: number): boolean => lostMs > LOST_MS_MAX || lostMs > LOST_SHARE_MAX * (to - from);
  const first = Math.min(...recordings.map(({ source }) => source.firstAt));
  const last = Math.max(...recordings.map(({ source }) => source.lastAt));
  return recordings.flatMap(({ name, source }) => {
    const { symbol, firstAt, lastAt } = source;
    const others = recordings.map((one) => one.source).filter((one) => one !== source);
    const text = (word: "begin" | "end", at: number, lostMs: number, next: number): string => {
      const lost = `${symbol}: ${name} ${word}s at ${second(at)} UTC, and the run with it: ${duration(lostMs)} of what the others have are not in it`;
      // If another recording is as short, leaving out one of them changes nothing.
      return next === at ? lost : `${lost}. Without this file it would ${word} at ${second(next)} UTC`;
    };
    const begin = Math.max(...others.map((one) => one.firstAt));
    const end = Math.min(...others.map((one) => one.lastAt));
    // The price of a bar is valid until the next.
    const endLostMs = last - lastAt - (source.kind === "bars" ? source.intervalMs : 0);
    return [
      ...(firstAt === from && isMuch(firstAt - first) ? [text("begin", firstAt, firstAt - first, begin)] : []),
      ...(lastAt === to && isMuch(endLostMs) ? [text("end", lastAt, last - lastAt, end)] : []),
    ];
  });
}

/** A reference whose rows are further apart than its maximum age does not count in between. */
function stale({ recordings, limits: { referenceAgeMsMax } }: Ground): readonly string[] {
  return recordings.filter(isReference).flatMap(({ name, source }) => {
    const { usualMs } = stepsOf(source);
    if (usualMs <= referenceAgeMsMax) return [];
    return [
      `${source.symbol}: rows of ${name} are ${duration(usualMs)} apart, and a reference is believed for ${duration(referenceAgeMsMax)} (referenceAgeMsMax): most of the time it counts for nothing`,
    ];
  });
}

function fewText({ symbol, recorded, needed }: Sources): string {
  return `${symbol}: ${counted(recorded, "source")} recorded, where a fair value needs ${needed} (referenceSourcesMin): synthetic feeds around what was recorded count as the rest and agree by construction, where live there would be no fair value of it`;
}

/** What its rows contain besides a price. `unsized` is the fraction of rows without a size. */
type Shown = { readonly hasSpread: boolean; readonly unsized: number };

/** Judged by the first rows of the run, because the file should not be read twice. */
export function shownBy({ source, halfSpreadBps }: Recording, { from, to }: Pick<Ground, "from" | "to">): Shown {
  if (source.kind === "bars") return { hasSpread: halfSpreadBps > 0, unsized: 1 };
  for (const { length, bid, ask, bidSize, askSize } of source.chunks({ from, to })) {
    let [unsized, apart] = [0, 0];
    for (let row = 0; row < length; row++) {
      if (Number.isNaN(bidSize[row]) || Number.isNaN(askSize[row])) unsized++;
      if ((ask[row] as number) > (bid[row] as number)) apart++;
    }
    return { hasSpread: apart > 0, unsized: unsized / length };
  }
  // No row lies within the run: its price is from before.
  return { hasSpread: true, unsized: 0 };
}

function looseText({ source: { kind } }: Recording, { hasSpread, unsized }: Shown): string | undefined {
  const [one, price] = kind === "bars" ? ["a bar", "its open"] : ["a row", "its price"];
  if (!hasSpread)
    return `no spread${unsized === 1 ? ", any size" : ""}: ${one} has one price, and buys and sells alike are filled at ${price}${unsized === 1 ? ", however large they are" : ""}. Half the venue's spread is missing from the cost of every fill, so the profit may be none; ${
      kind === "bars" ? "--half-spread-bps says what it is" : "record bid and ask, or take bars with --half-spread-bps"
    }`;
  if (unsized === 1)
    return `any size: ${kind === "bars" ? "a bar has no size on show" : "no size was recorded"}, so every order is filled however large it is`;
  if (unsized > 0)
    return `any size at times: ${percent(unsized, 1)} of the rows that the run begins with have no size, and fill every order however large it is`;
  return undefined;
}

/** A strategy that sees prices between two opens trades against an open that the venue would no longer show. */
function frozenText({ source }: Recording, recordings: readonly Recording[]): string | undefined {
  if (source.kind !== "bars") return undefined;
  const { intervalMs } = source;
  const finer = recordings.filter(
    ({ source: other }) => other !== source && (other.kind === "quotes" || other.intervalMs < intervalMs),
  );
  const telling = finer.filter((one) => one.source.symbol === source.symbol || tells(source, [one]));
  const named = telling.length > 0 ? telling : tells(source, finer) ? finer : [];
  if (named.length === 0) return undefined;
  return `its bars stand still for ${duration(intervalMs)} while ${named.map(({ name }) => name).join(", ")} told finer prices: what is earned by trading an open that is long past was never there to earn. Record the venue's quotes, or give no prices that are finer than the bars`;
}

/** Whether these recordings link the reference currencies of the pair's two assets. */
function tells({ symbol }: Recording["source"], by: readonly Recording[]): boolean {
  const { base, quote } = assetsOf(stoodFor(symbol));
  const rates = by.map(({ source }) => ({ symbol: stoodFor(source.symbol), find: () => undefined }));
  return base !== quote && isJoined(rates, base, quote);
}

// Counts the sources of a currency pair in a run: recordings, and synthetic feeds around them where recordings alone
// are too few for a fair value. Around two recordings that disagree, synthetic feeds would side with one or with
// neither.

export type Sources = {
  readonly symbol: PairSymbol;
  /** The number of recordings, and the number that a fair value needs. */
  readonly recorded: number;
  readonly needed: number;
};

type Grounds = Pick<BacktestOptions, "recordings" | "references" | "prices" | "funds"> & {
  readonly limits: Pick<Limits, "symbols" | "currency" | "referenceSourcesMin">;
};

/** For pairs that are recorded and also covered by synthetic feeds. */
export function recordedSources(grounds: Grounds): readonly Sources[] {
  const sources = countedSources(grounds);
  const wanted = wantedPairs(grounds, sources);
  const told = new Set(toldBy(grounds));
  return sources.filter(({ symbol }) => wanted.has(symbol) && told.has(symbol));
}

/** The pairs that synthetic feeds quote in such a run. */
export function syntheticPairs(grounds: Grounds): ReadonlySet<PairSymbol> {
  const sources = countedSources(grounds);
  const alone = new Set(sources.filter(standsAlone).map(({ symbol }) => symbol));
  return new Set([...wantedPairs(grounds, sources)].filter((symbol) => !alone.has(symbol)));
}

function countedSources({ recordings, references, prices, limits }: Grounds): readonly Sources[] {
  const told = recordings.map((recording) => asQuotedBy(references, recording)).filter(isReference);
  const symbols = new Set(told.map(({ source }) => source.symbol));
  return [...symbols].map((symbol) => ({
    symbol,
    recorded: told.filter(({ source }) => source.symbol === symbol).length,
    needed: neededOf(symbol, limits, prices),
  }));
}

/** A pair with enough recordings counts as a rate too: where it exists, no synthetic feed is added to it. */
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
