// Kraken's public ticker over HTTP: `GET /0/public/Ticker?pair=GBPUSD,XBTUSD` answers with `{ error: [], result: {
// ZGBPZUSD: { a: [price, whole lots, lots], b: [...] } } }`. Older assets have special names there (XBT for BTC) with
// an X or Z prefix. It reports no time: age counts from the answer.

import type { Observable } from "rxjs";
import { z } from "zod";
import { assetsOf, type PairSymbol } from "../../domain/asset.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import { jsonOf } from "../../domain/json-of.ts";
import { printable } from "../../domain/sanitise.ts";
import { type FeedParts, type FeedSource, readTick, type Told, together } from "./feed.ts";
import { POLL_DEFAULTS, type PollSettings, polled } from "./polled.ts";

const side = z.tuple([z.unknown(), z.unknown(), z.unknown()]);
const answer = z.object({
  error: z.array(z.string()).max(32),
  result: z.record(z.string(), z.object({ a: side, b: side })).optional(),
});

export type KrakenRestParts = FeedParts & {
  /** Seam: the body of a GET as text. */
  readonly read: (url: string, signal: AbortSignal) => Promise<string>;
  readonly settings?: Partial<PollSettings>;
};

export function krakenRest(source: FeedSource, { read, settings, ...parts }: KrakenRestParts): Observable<QuoteEvent> {
  const url = new URL(source.url);
  url.searchParams.set("pair", [...source.symbols].map(askedName).join(","));
  const named = new Map(
    [...source.symbols].flatMap((symbol) => answeredNames(symbol).map((name) => [name, symbol] as const)),
  );
  const ask = async (signal: AbortSignal): Promise<Told> =>
    tickersIn(await read(url.href, signal), source.symbols, named);
  return polled(source.name, ask, parts, { ...POLL_DEFAULTS, everyMs: 2_000, ...settings });
}

/** Throws if the answer as a whole is invalid. */
function tickersIn(text: string, symbols: ReadonlySet<PairSymbol>, named: ReadonlyMap<string, PairSymbol>): Told {
  const document = jsonOf(text);
  if (document === undefined) throw new Error("its answer is not JSON");
  const parsed = answer.safeParse(document);
  if (!parsed.success) throw new Error("its answer is no ticker");
  const { error, result = {} } = parsed.data;
  if (error.length > 0) throw new Error(`it answered ${printable(error.join(", "), 120)}`);
  const rows = Object.entries(result).flatMap(([name, { a, b }]) => {
    const symbol = named.get(name);
    return symbol === undefined
      ? []
      : [readTick({ symbol, bid: b[0], ask: a[0], bidSize: b[2], askSize: a[2], at: undefined })];
  });
  const told = together(rows);
  const missing = [...symbols].filter((symbol) => !told.ticks.some((tick) => tick.symbol === symbol));
  return missing.length === 0 ? told : { ...told, trouble: told.trouble ?? `it has no ${missing.join(", ")}` };
}

const OWN_NAMES: Readonly<Record<string, string>> = { BTC: "XBT", DOGE: "XDG" };

function ownName(asset: string): string {
  return OWN_NAMES[asset] ?? asset;
}

function askedName(symbol: PairSymbol): string {
  const { base, quote } = assetsOf(symbol);
  return `${ownName(base)}${ownName(quote)}`;
}

function answeredNames(symbol: PairSymbol): readonly string[] {
  const { base, quote } = assetsOf(symbol);
  const forms = (asset: string): string[] => [ownName(asset), `X${ownName(asset)}`, `Z${ownName(asset)}`];
  return forms(base).flatMap((first) => forms(quote).map((second) => `${first}${second}`));
}
