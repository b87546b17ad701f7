// The daily rates of the European Central Bank, as XML: the value of one euro in other currencies, on working days at
// about 16:00 in Frankfurt. They only check the prices of other sources and are never a price to trade at. Pairs are
// quotients of rates of one day.

import type { Observable } from "rxjs";
import { assetsOf, type PairSymbol } from "../../domain/asset.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import { printable } from "../../domain/sanitise.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { weekdaysBetween } from "../fx-week.ts";
import { readPrice, whyUnread } from "../refusal.ts";
import type { FeedParts, FeedSource, Told } from "./feed.ts";
import { POLL_DEFAULTS, polled } from "./polled.ts";

export type EcbParts = FeedParts & {
  /** Seam: the body of a GET as text. */
  readonly read: (url: string, signal: AbortSignal) => Promise<string>;
};

const HOUR_MS = 3_600_000;
/** Published in the afternoon; in winter at 15:00 UTC. */
const PUBLISHED_MS = 15 * HOUR_MS;
/** The longest gap between two rates, from the Thursday before Easter to the Tuesday after it, in weekdays. */
const WEEKDAYS_MAX = 3;
/** The bank's page is read once an hour; in between the same rates are emitted again. */
const ASK_MS = HOUR_MS;
const TELL_MS = 30_000;

const DAY = /<Cube\s{1,9}time=["'](\d{4}-\d{2}-\d{2})["']\s{0,9}>/g;
const DAY_END = "</Cube>";
const RATE = /<Cube\s+currency=["']([A-Z]{3})["']\s+rate=["']([^"']{1,40})["']\s*\/>/g;

export function ecbFeed(source: FeedSource, { read, ...parts }: EcbParts): Observable<QuoteEvent> {
  let known: { readonly told: Told; readonly askedAt: number } | undefined;
  const ask = async (signal: AbortSignal): Promise<Told> => {
    const now = parts.clock.monotonic();
    if (known === undefined || now - known.askedAt >= ASK_MS)
      known = { told: ratesIn(await read(source.url, signal), source.symbols, parts.clock.now()), askedAt: now };
    return known.told;
  };
  const pace = { everyMs: TELL_MS, restMsFirst: 5_000, restMsMax: 600_000 };
  return polled(source.name, ask, parts, { ...POLL_DEFAULTS, ...pace });
}

/** The newest day in the file, which may be the daily or the 90-day file. Throws if the file is invalid. */
function ratesIn(text: string, symbols: ReadonlySet<PairSymbol>, now: Millis): Told {
  const newest = newestIn(text);
  if (newest === undefined) throw new Error("its answer has no rates");
  const at = publishedAt(newest.day);
  if (at > now + 24 * HOUR_MS) throw new Error(`its rates are of ${newest.day}, which has not come yet`);
  const age = weekdaysBetween(at, now);
  if (age > WEEKDAYS_MAX) throw new Error(`its rates are of ${newest.day}, ${age} working days old`);
  const rates = new Map<string, string>([["EUR", "1"]]);
  for (const [, currency = "", rate = ""] of newest.rows.matchAll(RATE)) rates.set(currency, rate);
  const rows = [...symbols].map((symbol): Told => {
    const { base, quote } = assetsOf(symbol);
    const [first, second] = [rates.get(base), rates.get(quote)];
    const problem = problemOf(base, first) ?? problemOf(quote, second);
    if (problem !== undefined) return { ticks: [], trouble: problem };
    const rate = readPrice(second) / readPrice(first);
    return { ticks: [{ symbol, bid: rate, ask: rate, at }] };
  });
  return { ticks: rows.flatMap(({ ticks }) => ticks), trouble: rows.find(({ trouble }) => trouble)?.trouble };
}

/**
 * Rows are extracted once and not for every day, so that a malformed answer without closing tags cannot take minutes.
 */
function newestIn(text: string): { readonly day: string; readonly rows: string } | undefined {
  let found: { readonly day: string; readonly from: number } | undefined;
  for (const { 0: opening, 1: day = "", index } of text.matchAll(DAY))
    if (found === undefined || day > found.day) found = { day, from: index + opening.length };
  const end = found === undefined ? -1 : text.indexOf(DAY_END, found.from);
  return found === undefined || end < 0 ? undefined : { day: found.day, rows: text.slice(found.from, end) };
}

function problemOf(currency: string, rate: string | undefined): string | undefined {
  if (rate === undefined) return `it has no rate of ${currency}`;
  const refusal = whyUnread(rate) ?? (readPrice(rate) > 0 ? undefined : "not above zero");
  return refusal && `its rate of ${currency} is ${refusal}: ${printable(rate, 24)}`;
}

function publishedAt(day: string): Millis {
  const time = Date.parse(day) + PUBLISHED_MS;
  if (Number.isNaN(time)) throw new Error(`its rates are of no day: ${day}`);
  return millis(time);
}
