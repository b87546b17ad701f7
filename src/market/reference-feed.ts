// The reference feeds that every simulator serves with its API: JSON rates on this machine.

import type { Observable } from "rxjs";
import { request } from "undici";
import { z } from "zod";
import { parseSymbol } from "../domain/asset.ts";
import { boundedText } from "../domain/bounded-text.ts";
import type { QuoteEvent } from "../domain/event.ts";
import { isLoopback } from "../domain/loopback.ts";
import { millis } from "../domain/time.ts";
import type { FeedSource, FeedParts as Parts, Tick } from "./feed/feed.ts";
import { POLL_DEFAULTS, type PollSettings, polled } from "./feed/polled.ts";

export type FeedParts = Parts & {
  /** Makes one request; the signal aborts it. */
  readonly read: (url: string, signal: AbortSignal) => Promise<unknown>;
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
    const parsed = answer.safeParse(await read(source.url, signal));
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

const TIMEOUT_MS = 3_000;
const BYTES_MAX = 256 * 1024;

/** Makes one HTTP request to this machine, bounded in time and size. Any other host is refused before a byte leaves. */
export async function readLoopbackJson(url: string, signal: AbortSignal): Promise<unknown> {
  const { hostname } = new URL(url);
  if (!isLoopback(hostname))
    throw new RangeError(`a reference feed of paper mode must be on loopback, was ${hostname}`);
  const bounds = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
  const { statusCode, body } = await request(url, { signal, ...bounds });
  const text = await boundedText(body, BYTES_MAX);
  if (statusCode !== 200) throw new Error(`it answered with status ${statusCode}`);
  return JSON.parse(text);
}
