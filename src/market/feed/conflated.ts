// A flood of quotes made a trickle: of each pair the newest, at most once in each span of time. What waits is one quote a
// pair, however many come.

import { Observable } from "rxjs";
import type { PairSymbol } from "../../domain/asset.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import type { Timers } from "../../domain/time.ts";

export function conflated(quotes$: Observable<QuoteEvent>, everyMs: number, timers: Timers): Observable<QuoteEvent> {
  return new Observable((subscriber) => {
    /** Undefined: said in this span, and nothing newer has come. */
    const said = new Map<PairSymbol, QuoteEvent | undefined>();
    let cancel: (() => void) | undefined;
    const begin = (): void => {
      cancel ??= timers.after(everyMs, () => {
        cancel = undefined;
        const waiting = [...said.values()].filter((quote) => quote !== undefined);
        said.clear();
        for (const quote of waiting) say(quote);
      });
    };
    const say = (quote: QuoteEvent): void => {
      said.set(quote.symbol, undefined);
      begin();
      subscriber.next(quote);
    };
    const subscription = quotes$.subscribe((quote) => {
      if (said.has(quote.symbol)) said.set(quote.symbol, quote);
      else say(quote);
    });
    return () => {
      subscription.unsubscribe();
      cancel?.();
    };
  });
}
