// The view that a strategy gets: one object over live prices and accounts, open only while `decide` runs. Its parts read
// through the same cursor, so that one flag closes them all: every number read from a closed view throws. In fresh mode
// every call gets a view of its own over copies, so that a kept one stays closed for good.

import type { PairSymbol } from "../domain/asset.ts";
import type { BarEvent } from "../domain/event.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { Pricing } from "../market/fair.ts";
import type { Moment } from "../market/moment.ts";
import type { PairPrices, SourcePrice } from "../market/pair-prices.ts";
import type { Strategy } from "../strategy/prepare.ts";
import type { BalanceView, BarView, FillView, OpenOrderView, QuoteView, ViewBase, Wake } from "../strategy/view.ts";
import { buy, sell } from "./propose.ts";

/** A strategy read its view, or a part of it, outside `decide`. */
class ViewClosed extends Error {
  override readonly name = "ViewClosed";

  constructor() {
    super("a view is valid only while decide runs: copy the numbers you want to keep into state");
  }
}

/** What a view can ask of the engine. */
export interface Sight {
  readonly pricing: Pricing;
  instrumentOf(symbol: string): Instrument | undefined;
  balanceOf(asset: string): BalanceView | undefined;
  readonly balances: readonly BalanceView[];
  readonly instruments: readonly Instrument[];
  readonly fills: readonly FillView[];
  readonly openOrders: readonly OpenOrderView[];
}

/** The engine's end of a view. */
export class Cursor {
  open = false;
  wake: Wake = "quote";
  /** Of the pair that the event is about. */
  prices: PairPrices | undefined = undefined;
  quote: QuoteLens | undefined = undefined;
  bar: BarEvent | undefined = undefined;
  readonly sight: Sight;
  readonly strategy: Strategy;
  readonly pricing: Pricing;
  readonly moment: Moment;
  readonly #lenses = new Map<PairPrices, QuoteLens>();
  readonly #copies: boolean;

  constructor(sight: Sight, strategy: Strategy, copies: boolean) {
    this.sight = sight;
    this.strategy = strategy;
    this.pricing = sight.pricing;
    this.moment = sight.pricing.moment;
    this.#copies = copies;
  }

  /** The event is about this pair. */
  aim(prices: PairPrices | undefined): void {
    this.prices = prices;
    this.quote = prices === undefined ? undefined : this.lens(prices);
  }

  /** Undefined unless the venue's last quote was a good one. */
  lens(prices: PairPrices): QuoteLens | undefined {
    return prices.venue.seen === "good" ? (this.#lenses.get(prices) ?? this.#added(prices)) : undefined;
  }

  #added(prices: PairPrices): QuoteLens {
    const lens = new QuoteLens(this, prices.symbol, this.#copies ? prices.venue.copy() : prices.venue);
    Object.freeze(lens);
    this.#lenses.set(prices, lens);
    return lens;
  }
}

function opened(cursor: Cursor): Cursor {
  if (!cursor.open) throw new ViewClosed();
  return cursor;
}

export class QuoteLens implements QuoteView {
  readonly #cursor: Cursor;
  readonly #symbol: PairSymbol;
  readonly #price: SourcePrice;

  constructor(cursor: Cursor, symbol: PairSymbol, price: SourcePrice) {
    this.#cursor = cursor;
    this.#symbol = symbol;
    this.#price = price;
  }

  get symbol(): string {
    opened(this.#cursor);
    return this.#symbol;
  }

  get bid(): number {
    if (this.#cursor.open !== true) throw new ViewClosed();
    return this.#price.bid;
  }

  get ask(): number {
    if (this.#cursor.open !== true) throw new ViewClosed();
    return this.#price.ask;
  }

  get mid(): number {
    opened(this.#cursor);
    return (this.#price.bid + this.#price.ask) / 2;
  }

  get bidSize(): number | undefined {
    opened(this.#cursor);
    return known(this.#price.bidSize);
  }

  get askSize(): number | undefined {
    opened(this.#cursor);
    return known(this.#price.askSize);
  }

  get ageMs(): number {
    return opened(this.#cursor).moment.now - this.#price.since;
  }
}

class BarLens implements BarView {
  readonly #cursor: Cursor;

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  get symbol(): string {
    return this.#bar.symbol;
  }

  get open(): number {
    return this.#bar.open;
  }

  get high(): number {
    return this.#bar.high;
  }

  get low(): number {
    return this.#bar.low;
  }

  get close(): number {
    return this.#bar.close;
  }

  get volume(): number | undefined {
    return this.#bar.volume;
  }

  get #bar(): BarEvent {
    const { bar } = opened(this.#cursor);
    if (bar === undefined) throw new ViewClosed();
    return bar;
  }
}

abstract class LiveView implements ViewBase<unknown, object> {
  abstract readonly quote: QuoteView | undefined;
  abstract readonly state: object;
  abstract readonly params: unknown;
  readonly #cursor: Cursor;
  readonly #bar: BarLens;

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
    this.#bar = new BarLens(cursor);
    Object.freeze(this.#bar);
  }

  get now(): number {
    return opened(this.#cursor).moment.now;
  }

  get wake(): Wake {
    return opened(this.#cursor).wake;
  }

  get bar(): BarView | undefined {
    return opened(this.#cursor).bar === undefined ? undefined : this.#bar;
  }

  get fair(): number | undefined {
    const { open, prices, pricing } = this.#cursor;
    if (open !== true) throw new ViewClosed();
    return prices === undefined ? undefined : pricing.value(prices);
  }

  get balances(): readonly BalanceView[] {
    return opened(this.#cursor).sight.balances;
  }

  get instruments(): readonly Instrument[] {
    return opened(this.#cursor).sight.instruments;
  }

  get fills(): readonly FillView[] {
    return opened(this.#cursor).sight.fills;
  }

  get openOrders(): readonly OpenOrderView[] {
    return opened(this.#cursor).sight.openOrders;
  }

  // Functions as getters, so that they work when taken out of the view: `decide({ quoteOf, buy })`.
  get quoteOf(): (symbol: string) => QuoteView | undefined {
    const cursor = opened(this.#cursor);
    return (symbol) => {
      const prices = opened(cursor).pricing.pairs.get(symbol as PairSymbol);
      return prices && cursor.lens(prices);
    };
  }

  get fairOf(): (symbol: string) => number | undefined {
    const cursor = opened(this.#cursor);
    return (symbol) => {
      const { pricing } = opened(cursor);
      const prices = pricing.pairs.get(symbol as PairSymbol);
      return prices && pricing.value(prices);
    };
  }

  get balanceOf(): (asset: string) => BalanceView | undefined {
    const cursor = opened(this.#cursor);
    return (asset) => opened(cursor).sight.balanceOf(asset);
  }

  get instrumentOf(): (symbol: string) => Instrument | undefined {
    const cursor = opened(this.#cursor);
    return (symbol) => opened(cursor).sight.instrumentOf(symbol);
  }

  get buy(): typeof buy {
    return buy;
  }

  get sell(): typeof sell {
    return sell;
  }
}

/** What is the same at each call is plain data here, which costs nothing to read: the numbers in a kept quote are closed. */
export class ReusedView extends LiveView {
  readonly quote: QuoteView | undefined;
  readonly state: object;
  readonly params: unknown;

  constructor(cursor: Cursor) {
    super(cursor);
    this.quote = cursor.quote;
    this.state = cursor.strategy.state;
    this.params = cursor.strategy.params;
    Object.freeze(this);
  }
}

/** For one call: nothing of it can be read afterwards. */
export class FreshView extends LiveView {
  readonly #cursor: Cursor;

  constructor(cursor: Cursor) {
    super(cursor);
    this.#cursor = cursor;
    Object.freeze(this);
  }

  get quote(): QuoteView | undefined {
    return opened(this.#cursor).quote;
  }

  get state(): object {
    return opened(this.#cursor).strategy.state;
  }

  get params(): unknown {
    return opened(this.#cursor).strategy.params;
  }
}

function known(size: number): number | undefined {
  return Number.isNaN(size) ? undefined : size;
}
