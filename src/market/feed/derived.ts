// Derives pairs that a source does not have from those it has: GBP/CHF from GBP/USD and USD/CHF of the same source. A
// derived quote is as old as its oldest leg and as wide as all of them together. While a leg is missing or bad there is
// none.

import { Observable } from "rxjs";
import type { PairSymbol } from "../../domain/asset.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { type Way, waysBetween } from "../cross.ts";
import { isGood } from "../source-price.ts";

type Listed = { readonly symbol: PairSymbol };

/** A leg without an update for this long is not used. */
const LEG_MS_MAX = 60_000;

export function withDerived(
  quotes$: Observable<QuoteEvent>,
  symbols: ReadonlySet<PairSymbol>,
  derive: readonly PairSymbol[],
): Observable<QuoteEvent> {
  if (derive.length === 0) return quotes$;
  const listed = [...symbols].map((symbol) => ({ symbol }));
  const wanted = derive.map((symbol) => ({ symbol, ways: waysBetween(symbol, listed) }));
  return new Observable((subscriber) => {
    const last = new Map<PairSymbol, QuoteEvent>();
    return quotes$.subscribe((quote) => {
      last.set(quote.symbol, quote);
      subscriber.next(quote);
      for (const { symbol, ways } of wanted) {
        if (!ways.some((way) => way.some(({ prices }) => prices.symbol === quote.symbol))) continue;
        const [best] = ways
          .flatMap((way) => walked(way, last, quote.receivedAt) ?? [])
          .sort((one, other) => one.ask / one.bid - other.ask / other.bid);
        // Emitted even without a price, because an earlier one is no longer valid.
        const { bid, ask, at } = best ?? { bid: Number.NaN, ask: Number.NaN, at: undefined };
        subscriber.next({ ...quote, symbol, bid, ask, bidSize: undefined, askSize: undefined, at });
      }
    });
  });
}

type Walked = { readonly bid: number; readonly ask: number; readonly at: Millis };

function walked(way: Way<Listed>, last: ReadonlyMap<PairSymbol, QuoteEvent>, now: Millis): Walked | undefined {
  let bid = 1;
  let ask = 1;
  let at: number = now;
  for (const { prices, inverse } of way) {
    const leg = last.get(prices.symbol);
    if (leg === undefined || !isGood(leg.bid, leg.ask) || now - leg.receivedAt > LEG_MS_MAX) return undefined;
    bid *= inverse ? 1 / leg.ask : leg.bid;
    ask *= inverse ? 1 / leg.bid : leg.ask;
    at = Math.min(at, leg.at ?? leg.receivedAt, leg.receivedAt);
  }
  return { bid, ask, at: millis(at) };
}
