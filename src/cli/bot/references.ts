// The reference feeds of a configuration. On paper they are the two that every simulator has beside its API; they cost
// nothing of the budget. Live mode has none in this version.

import { merge, NEVER, type Observable } from "rxjs";
import { ratePairs } from "../../bot/core.ts";
import type { Config } from "../../config/schema.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import type { Random } from "../../domain/random.ts";
import type { Clock } from "../../domain/time.ts";
import { readLoopbackJson } from "../../market/loopback-json.ts";
import { type FeedParts, referenceFeed } from "../../market/reference-feed.ts";
import { systemTimers } from "../system-timers.ts";
import { limitsOf } from "./core-of.ts";

export type ReferenceParts = Pick<FeedParts, "onTrouble"> & {
  readonly base: URL;
  readonly random: Random;
  readonly clock: Clock;
};

const FEEDS: readonly string[] = ["a", "b"];

/** What their quotes are called. */
export function referenceNames({ mode }: Pick<Config, "mode">): readonly string[] {
  return mode === "paper" ? FEEDS.map(nameOf) : [];
}

function nameOf(path: string): string {
  return `simulator-${path}`;
}

export function referencesOf(config: Config, { base, random, ...parts }: ReferenceParts): Observable<QuoteEvent> {
  if (config.mode !== "paper") return NEVER;
  const symbols = ratePairs(limitsOf(config));
  const feeds = FEEDS.map((path) => {
    const source = { name: nameOf(path), url: new URL(`/reference/${path}`, base).href, symbols };
    return referenceFeed(source, { ...parts, timers: systemTimers, random: random.fork(path), read: readLoopbackJson });
  });
  return merge(...feeds);
}
