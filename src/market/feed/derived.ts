// Derives pairs that a source does not have from those it has: GBP/CHF from GBP/USD and USD/CHF of the same source. A
// derived quote is as old as its oldest leg and as wide as all of them together. While a leg is missing, bad or frozen
// there is none, because a moving leg would hide one that is frozen.

import { Observable } from "rxjs";
import type { PairSymbol } from "../../domain/asset.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { type Way, waysBetween } from "../cross.ts";
import { whyNoQuote } from "../refusal.ts";

type Listed = { readonly symbol: PairSymbol };

const FROZEN_MS_MAX = 300_000;
/** A leg without an update for this long is not used. */
const LEG_MS_MAX = 60_000;

export function withDerived(
  quotes$: Observable<QuoteEvent>,
  symbols: ReadonlySet<PairSymbol>,
  derive: readonly PairSymbol[],
  /** The frozen limit of a leg. */
  frozenMsMaxOf: (symbol: PairSymbol) => number = () => FROZEN_MS_MAX,
): Observable<QuoteEvent> {
  if (derive.length === 0) return quotes$;
  const listed = [...symbols].map((symbol) => ({ symbol }));
  const wanted = derive.map((symbol) => {
    const ways = waysBetween(symbol, listed);
    return { symbol, ways, legs: [...new Set(ways.flatMap(legsOf))] };
  });
  return new Observable((subscriber) => {
    const last = new Map<PairSymbol, QuoteEvent>();
    const moved = new Map<PairSymbol, QuoteEvent>();
    const isFrozen = (symbol: PairSymbol, now: Millis): boolean =>
      now - (moved.get(symbol)?.receivedAt ?? now) > frozenMsMaxOf(symbol);
    return quotes$.subscribe((quote) => {
      last.set(quote.symbol, quote);
      if (hasMoved(moved.get(quote.symbol), quote)) moved.set(quote.symbol, quote);
      subscriber.next(quote);
      for (const { symbol, ways, legs: all } of wanted) {
        if (!all.includes(quote.symbol)) continue;
        const [best] = ways
          .filter((way) => !way.some(({ prices }) => isFrozen(prices.symbol, quote.receivedAt)))
          .flatMap((way) => walked(way, last, quote.receivedAt) ?? [])
          .sort((one, other) => one.ask / one.bid - other.ask / other.bid);
        // Emitted even without a price, because an earlier one is no longer valid.
        const { bid, ask, at, legs } = best ?? { bid: Number.NaN, ask: Number.NaN, at: undefined, legs: all };
        subscriber.next({ ...quote, symbol, bid, ask, bidSize: undefined, askSize: undefined, at, legs });
      }
    });
  });
}

/** A bad price in between does not count as a move. */
function hasMoved(before: QuoteEvent | undefined, { bid, ask }: QuoteEvent): boolean {
  if (whyNoQuote(bid, ask, true) !== undefined) return false;
  return before === undefined || before.bid !== bid || before.ask !== ask;
}

type Walked = {
  readonly bid: number;
  readonly ask: number;
  readonly at: Millis;
  readonly legs: readonly PairSymbol[];
};

function walked(way: Way<Listed>, last: ReadonlyMap<PairSymbol, QuoteEvent>, now: Millis): Walked | undefined {
  let bid = 1;
  let ask = 1;
  let at: number = now;
  for (const { prices, inverse } of way) {
    const leg = last.get(prices.symbol);
    if (leg === undefined || whyNoQuote(leg.bid, leg.ask, true) !== undefined || now - leg.receivedAt > LEG_MS_MAX)
      return undefined;
    bid *= inverse ? 1 / leg.ask : leg.bid;
    ask *= inverse ? 1 / leg.bid : leg.ask;
    at = Math.min(at, leg.at ?? leg.receivedAt, leg.receivedAt);
  }
  return { bid, ask, at: millis(at), legs: legsOf(way) };
}

function legsOf(way: Way<Listed>): readonly PairSymbol[] {
  return way.map(({ prices }) => prices.symbol);
}
