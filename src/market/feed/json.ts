// Any JSON document with a bid and an ask: the answer of an address, or a file that another program writes. A path names the members
// from the outside in, separated by dots (an item of a list by its number); {base} and {quote} stand for the pair.

import type { Observable } from "rxjs";
import { assetsOf, type PairSymbol } from "../../domain/asset.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import { jsonOf } from "../../domain/json-of.ts";
import type { Millis } from "../../domain/time.ts";
import { type FeedParts, readTick, type Told, together } from "./feed.ts";
import { POLL_DEFAULTS, polled } from "./polled.ts";

export type JsonSource = {
  readonly name: string;
  readonly symbols: ReadonlySet<PairSymbol>;
  readonly bid: string;
  readonly ask: string;
  readonly everyMs: number;
};

/** `at`: when the document was written, if that is known; an address states it nowhere. */
export type JsonDocument = { readonly text: string; readonly at: Millis | undefined };

export type JsonParts = FeedParts & { readonly read: (signal: AbortSignal) => Promise<JsonDocument> };

export function jsonFeed(source: JsonSource, { read, ...parts }: JsonParts): Observable<QuoteEvent> {
  const { name, symbols, everyMs } = source;
  const look = async (signal: AbortSignal): Promise<Told> => {
    const { text, at } = await read(signal);
    const document = jsonOf(text);
    if (document === undefined) throw new Error("it is not JSON");
    return together(
      [...symbols].map((symbol) => {
        const [bid, ask] = [source.bid, source.ask].map((path) => memberAt(document, path, symbol));
        return readTick({ symbol, bid, ask, at });
      }),
    );
  };
  return polled(name, look, parts, { ...POLL_DEFAULTS, everyMs });
}

function memberAt(document: unknown, path: string, symbol: PairSymbol): unknown {
  const { base, quote } = assetsOf(symbol);
  const names = path.replaceAll("{base}", base).replaceAll("{quote}", quote).split(".");
  return names.reduce<unknown>((inside, name) => {
    if (typeof inside !== "object" || inside === null || !Object.hasOwn(inside, name))
      throw new Error(`it has no ${names.join(".")}`);
    return (inside as Readonly<Record<string, unknown>>)[name];
  }, document);
}
