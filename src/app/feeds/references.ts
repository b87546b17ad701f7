// The reference feeds of a configuration; they cost no request budget. On paper without configured feeds they are the
// two that every simulator serves next to its API.

import { readFile, stat } from "node:fs/promises";
import { catchError, defer, finalize, from, merge, mergeMap, NEVER, type Observable } from "rxjs";
import { ratePairs } from "../../bot/core.ts";
import { limitsOf } from "../../config/limits-of.ts";
import type { Config } from "../../config/schema.ts";
import type { Reference } from "../../config/section/reference.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import { millis } from "../../domain/time.ts";
import { ccxtFeed, loadCcxt } from "../../market/feed/ccxt.ts";
import { withDerived } from "../../market/feed/derived.ts";
import { type FeedParts, reasonOf } from "../../market/feed/feed.ts";
import { type JsonDocument, jsonFeed } from "../../market/feed/json.ts";
import { krakenRest } from "../../market/feed/kraken-rest.ts";
import { playedFeed } from "../../market/feed/played.ts";
import { createHttpText } from "../../market/http-text.ts";
import { referenceFeed } from "../../market/reference-feed.ts";
import { DEFAULT_REFERENCES } from "../../simulator/market/reference.ts";
import type { OpenRecord } from "../data/open-record.ts";
import { systemTimers } from "../system/system-timers.ts";
import { SIMULATOR_FEEDS, simulatorFeed } from "./price-sources.ts";

export type ReferenceParts = Omit<FeedParts, "timers"> & {
  /** The venue's address; the simulator serves its feeds next to its API. */
  readonly base: URL;
  /** Opens the rows of a data file, for recorded feeds. */
  readonly openRecord: OpenRecord;
};

export function referencesOf(config: Config, { base, openRecord, ...parts }: ReferenceParts): Observable<QuoteEvent> {
  const { references } = config.market;
  if (references.length > 0) return merge(...references.map((feed) => feedOf(feed, { ...parts, openRecord })));
  if (config.mode !== "paper") return NEVER;
  const served = DEFAULT_REFERENCES.flatMap((feed) => feed.symbols);
  const symbols = ratePairs(limitsOf(config), served);
  const feeds = SIMULATOR_FEEDS.map((path) => {
    const source = { name: simulatorFeed(path), url: new URL(`/reference/${path}`, base).href, symbols };
    const random = parts.random.fork(path);
    return overHttp((read) => referenceFeed(source, { ...parts, timers: systemTimers, random, read }));
  });
  return merge(...feeds);
}

/** One configured feed, opened on subscription and closed on unsubscription. */
export function feedOf(
  feed: Reference,
  { openRecord, ...given }: Omit<ReferenceParts, "base">,
): Observable<QuoteEvent> {
  const parts = { ...given, timers: systemTimers, random: given.random.fork(feed.name) };
  const symbols = new Set(feed.symbols as PairSymbol[]);
  const derived = (quotes$: Observable<QuoteEvent>, derive: readonly string[]): Observable<QuoteEvent> =>
    withDerived(quotes$, symbols, derive as PairSymbol[]);
  switch (feed.kind) {
    case "kraken-rest": {
      const settings = { everyMs: feed.everyMs };
      const asked$ = overHttp((read) => krakenRest({ ...feed, symbols }, { ...parts, read, settings }));
      return derived(asked$, feed.derive);
    }
    case "ccxt": {
      const source = { ...feed, symbols, url: feed.url ?? "" };
      return derived(ccxtFeed(source, { ...parts, load: loadCcxt, settings: { everyMs: feed.everyMs } }), feed.derive);
    }
    case "json": {
      const { url, file = "" } = feed;
      const source = { ...feed, symbols };
      const read$ =
        url === undefined
          ? jsonFeed(source, { ...parts, read: () => writtenAt(file) })
          : overHttp((read) =>
              jsonFeed(source, {
                ...parts,
                read: async (signal) => ({ text: await read(url, signal), at: undefined }),
              }),
            );
      return derived(read$, feed.derive);
    }
    case "recorded":
      return from(openRecord(feed.file, [...symbols])).pipe(
        mergeMap((rows) => playedFeed(feed.name, rows, parts)),
        catchError((error: unknown) => {
          parts.onTrouble?.(feed.name, reasonOf(error));
          return NEVER;
        }),
      );
  }
}

const FILE_BYTES_MAX = 1024 * 1024;

async function writtenAt(file: string): Promise<JsonDocument> {
  const { mtimeMs, size } = await stat(file);
  if (size > FILE_BYTES_MAX) throw new RangeError(`${file} has over ${FILE_BYTES_MAX} bytes`);
  return { text: await readFile(file, "utf8"), at: millis(Math.floor(mtimeMs)) };
}

type Read = ReturnType<typeof createHttpText>["read"];

function overHttp(feed: (read: Read) => Observable<QuoteEvent>): Observable<QuoteEvent> {
  return defer(() => {
    const http = createHttpText();
    return feed(http.read).pipe(finalize(http.close));
  });
}
