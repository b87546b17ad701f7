// The reference feeds that every simulator serves with its API: JSON rates on this machine.

import type { Observable } from "rxjs";
import { z } from "zod";
import { parseSymbol } from "../domain/asset.ts";
import type { QuoteEvent } from "../domain/event.ts";
import { millis } from "../domain/time.ts";
import type { FeedSource, FeedParts as Parts, Tick } from "./feed/feed.ts";
import { POLL_DEFAULTS, type PollSettings, polled } from "./feed/polled.ts";

export type FeedParts = Parts & {
  /** Seam: the body of a GET as text. */
  readonly read: (url: string, signal: AbortSignal) => Promise<string>;
  readonly settings?: Partial<PollSettings>;
};

const ROWS_MAX = 64;

const answer = z.object({
  rates: z
    .array(z.object({ symbol: z.string(), bid: z.number(), ask: z.number(), timestamp: z.iso.datetime() }))
    .max(ROWS_MAX),
});

export function referenceFeed(source: FeedSource, { read, settings, ...parts }: FeedParts): Observable<QuoteEvent> {
  const ask = async (signal: AbortSignal): Promise<{ readonly ticks: readonly Tick[] }> => {
    const parsed = answer.safeParse(JSON.parse(await read(source.url, signal)));
    if (!parsed.success) throw new Error("its answer is not a list of rates");
    const ticks = parsed.data.rates.flatMap(({ symbol: name, bid, ask: high, timestamp }) => {
      const symbol = parseSymbol(name);
      if (!symbol.ok || !source.symbols.has(symbol.value)) return [];
      return [{ symbol: symbol.value, bid, ask: high, at: millis(Date.parse(timestamp)) }];
    });
    return { ticks };
  };
  return polled(source.name, ask, parts, { ...POLL_DEFAULTS, ...settings });
}
