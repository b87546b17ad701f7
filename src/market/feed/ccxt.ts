// Polls the tickers of any exchange that ccxt supports. ccxt is large and therefore not a dependency: users of such a
// feed install it next to pegbot, and it is loaded only then.

import type { Observable } from "rxjs";
import { type PairSymbol, parseSymbol } from "../../domain/asset.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { type FeedParts, type FeedSource, readTick, type Told, together } from "./feed.ts";
import { POLL_DEFAULTS, type PollSettings, polled } from "./polled.ts";

export type CcxtParts = FeedParts & { readonly load: LoadCcxt; readonly settings?: Partial<PollSettings> };

/** `url`, if not empty, replaces every public address of the exchange. */
export type CcxtSource = FeedSource & { readonly exchange: string };

/** Long, because ccxt first reads the exchange's markets, which may be a large list. */
const ANSWER_MS_MAX = 20_000;
const NOT_INSTALLED = "the package ccxt is not installed beside pegbot: npm install --no-save ccxt@4.5.84";

export function ccxtFeed(source: CcxtSource, { load, settings, ...parts }: CcxtParts): Observable<QuoteEvent> {
  let exchange: CcxtExchange | undefined;
  const ask = async (signal: AbortSignal): Promise<Told> => {
    exchange ??= await opened(source, load);
    const told = await until(signal, tickers(exchange, [...source.symbols]));
    return together(told.flatMap((ticker) => rowOf(ticker, source.symbols)));
  };
  const pace = { everyMs: 2_000, answerMsMax: ANSWER_MS_MAX };
  return polled(source.name, ask, parts, { ...POLL_DEFAULTS, ...pace, ...settings });
}

async function opened({ exchange: id, url }: CcxtSource, load: LoadCcxt): Promise<CcxtExchange> {
  const ccxt = await load();
  if (ccxt === undefined) throw new Error(NOT_INSTALLED);
  const Exchange = ccxt.exchanges.includes(id) ? ccxt[id] : undefined;
  if (typeof Exchange !== "function") throw new Error(`ccxt knows no exchange ${id}`);
  const exchange = new (Exchange as new (settings: object) => CcxtExchange)({ enableRateLimit: true });
  if (url !== "") exchange.urls.api = addressed(exchange.urls.api, url) as CcxtExchange["urls"]["api"];
  return exchange;
}

/** ccxt nests addresses at any depth. */
function addressed(addresses: unknown, url: string): unknown {
  if (typeof addresses !== "object" || addresses === null) return url;
  return Object.fromEntries(Object.entries(addresses).map(([name, inner]) => [name, addressed(inner, url)]));
}

async function tickers(exchange: CcxtExchange, symbols: readonly string[]): Promise<readonly CcxtTicker[]> {
  if (exchange.has.fetchTickers === true) return Object.values(await exchange.fetchTickers(symbols));
  const told: CcxtTicker[] = [];
  for (const symbol of symbols) told.push(await exchange.fetchTicker(symbol));
  return told;
}

/** A ccxt call cannot be cancelled, so its late result is ignored. */
function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function rowOf(
  { symbol: name, bid, ask, bidVolume, askVolume, timestamp }: CcxtTicker,
  wanted: ReadonlySet<PairSymbol>,
) {
  const symbol = parseSymbol(name);
  if (!symbol.ok || !wanted.has(symbol.value)) return [];
  const at: Millis | undefined = typeof timestamp === "number" ? millis(timestamp) : undefined;
  return [readTick({ symbol: symbol.value, bid, ask, bidSize: bidVolume, askSize: askVolume, at })];
}

// The used part of the package's types.

export type CcxtTicker = {
  readonly symbol: string;
  readonly bid?: unknown;
  readonly ask?: unknown;
  readonly bidVolume?: unknown;
  readonly askVolume?: unknown;
  readonly timestamp?: unknown;
};

export interface CcxtExchange {
  readonly urls: { api: string | Record<string, unknown> };
  readonly has: Readonly<Record<string, unknown>>;
  fetchTickers(symbols: readonly string[]): Promise<Record<string, CcxtTicker>>;
  fetchTicker(symbol: string): Promise<CcxtTicker>;
}

export type Ccxt = { readonly exchanges: readonly string[] } & Readonly<Record<string, unknown>>;

export type LoadCcxt = () => Promise<Ccxt | undefined>;

export async function loadCcxt(): Promise<Ccxt | undefined> {
  try {
    const { default: ccxt } = (await import("ccxt")) as { readonly default: Ccxt };
    return ccxt;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
