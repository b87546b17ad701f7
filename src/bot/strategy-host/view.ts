// The strategy's view: one object over live prices and accounts, open only while `decide` runs. Its sources are set
// when it opens and removed when it closes, so that reading any number from a closed view throws. In fresh mode every
// call gets a new view over copies, so that a kept one stays closed for good.

import type { PairSymbol } from "../../domain/asset.ts";
import type { NoFair } from "../../domain/fair.ts";
import type { Instrument } from "../../domain/instrument.ts";
import type { Side } from "../../domain/order.ts";
import type { Proposal, Refusal } from "../../domain/step.ts";
import type { Moment } from "../../market/moment.ts";
import type { PairPrices } from "../../market/pair-prices.ts";
import type { Pricing } from "../../market/pricing.ts";
import type { SourcePrice } from "../../market/source-price.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import { SHOWN } from "../../strategy/state.ts";
import type {
  Ask,
  BalanceView,
  BarView,
  FillView,
  HiddenView,
  OpenOrderView,
  OutcomeView,
  QuoteView,
  ReportView,
  ViewBase,
  Wake,
} from "../../strategy/view.ts";
import { callBegins, callEnds } from "../../strategy/watchdog.ts";
import { mayBeMisspelt } from "./answer.ts";

/** A strategy read its view, or a part of it, outside `decide`. */
class ViewClosed extends Error {
  override readonly name = "ViewClosed";

  constructor() {
    super("a view is valid only while decide runs: copy the numbers you want to keep into state");
  }
}

// A getter that checked whether the view is open would contain a throwing branch. No such branch may be inlined into
// the engine's loop (ADR 0005); the loop checks the shape of the object it reads anyway.
/** The source of a closed view: every read throws. */
const CLOSED = new Proxy<never>(Object.create(null) as never, {
  get() {
    throw new ViewClosed();
  },
});

const NO_PAIR: Pick<PairPrices, "value"> = {
  value: () => undefined,
};

/** The engine's data for a view. */
export interface ViewSource {
  readonly pricing: Pricing;
  instrumentOf(symbol: string): Instrument | undefined;
  balanceOf(asset: string): BalanceView | undefined;
  readonly balances: readonly BalanceView[];
  readonly instruments: readonly Instrument[];
  readonly fills: readonly FillView[];
  readonly openOrders: readonly OpenOrderView[];
  readonly outcomes: readonly OutcomeView[];
  hidden(symbol: string, at: number): HiddenView | undefined;
  refusalOf(proposal: Proposal): Refusal | undefined;
  note(text: string): void;
}

/** The engine's end of a view. */
export class ViewControl {
  wake: Wake = "quote";
  /** The prices of the event's pair. */
  prices: Pick<PairPrices, "value"> = NO_PAIR;
  quote: QuoteLens | undefined = undefined;
  /** Set only during the strategy's call for a bar. */
  bar: BarLens | undefined = undefined;
  /** Set only during the strategy's call for a report. */
  report: ReportView | undefined = undefined;
  readonly #bar = new BarLens();
  readonly sight: ViewSource;
  readonly strategy: Strategy;
  readonly pricing: Pricing;
  readonly moment: Moment;
  readonly #lenses = new Map<PairPrices, QuoteLens>();
  /** Lenses opened in this call besides the event's own; all others stay closed. */
  readonly #others: QuoteLens[] = [];
  private isOpen = false;
  readonly #copies: boolean;

  constructor(sight: ViewSource, strategy: Strategy, copies: boolean, moment: Moment = sight.pricing.moment) {
    this.sight = sight;
    this.strategy = strategy;
    this.pricing = sight.pricing;
    this.moment = moment;
    this.#copies = copies;
  }

  /** Aims the view at the event's pair. */
  aim(prices: PairPrices | undefined): void {
    this.prices = prices ?? NO_PAIR;
    this.quote = prices === undefined ? undefined : this.lens(prices);
  }

  /** Shows the bar in the next call. */
  showBar(bar: BarView): void {
    setBar(this.#bar, bar);
    this.bar = this.#bar;
  }

  open(view: LiveView): void {
    callBegins();
    this.isOpen = true;
    openView(view, this);
    if (this.quote !== undefined) openLens(this.quote);
  }

  close(view: LiveView): void {
    callEnds();
    this.isOpen = false;
    closeView(view);
    if (this.quote !== undefined) closeLens(this.quote);
    if (this.bar !== undefined) this.#hideBar();
    if (this.#others.length > 0) this.#closeOthers();
  }

  #hideBar(): void {
    setBar(this.#bar, CLOSED);
    this.bar = undefined;
  }

  #closeOthers(): void {
    for (const lens of this.#others) closeLens(lens);
    this.#others.length = 0;
  }

  /** Undefined unless the venue's last quote was good. */
  lens(prices: PairPrices): QuoteLens | undefined {
    if (prices.venue.seen !== "good") return undefined;
    const lens = this.#lenses.get(prices) ?? this.#added(prices);
    if (this.isOpen && openLens(lens)) this.#others.push(lens);
    return lens;
  }

  #added(prices: PairPrices): QuoteLens {
    const source = this.#copies ? prices.venue.copy() : prices.venue;
    const lens = new QuoteLens({ symbol: prices.symbol, source, moment: this.moment });
    Object.freeze(lens);
    this.#lenses.set(prices, lens);
    return lens;
  }
}

// Set by static blocks, so that the objects a strategy gets have no method that opens them.
/** False if it was already open. */
let openLens: (lens: QuoteLens) => boolean;
let closeLens: (lens: QuoteLens) => void;
let setBar: (lens: BarLens, bar: BarView) => void;
let openView: (view: LiveView, cursor: ViewControl) => void;
let closeView: (view: LiveView) => void;
let cursorOf: (view: LiveView) => ViewControl;

const FOR_ONE_CALL = "which is open during one call only";

type LensParts = {
  readonly symbol: PairSymbol;
  readonly source: SourcePrice;
  readonly moment: Moment;
};

export class QuoteLens implements QuoteView {
  static readonly [SHOWN] = `the view's quote, ${FOR_ONE_CALL}: keep its numbers, as in quote.bid`;
  readonly #symbol: PairSymbol;
  readonly #source: SourcePrice;
  readonly #moment: Moment;
  #price: SourcePrice = CLOSED;

  static {
    openLens = (lens) => {
      const wasClosed = lens.#price === CLOSED;
      lens.#price = lens.#source;
      return wasClosed;
    };
    closeLens = (lens) => {
      lens.#price = CLOSED;
    };
  }

  constructor({ symbol, source, moment }: LensParts) {
    this.#symbol = symbol;
    this.#source = source;
    this.#moment = moment;
  }

  toJSON(): QuoteView {
    const { symbol, bid, ask, mid, bidSize, askSize, ageMs } = this;
    return { symbol, bid, ask, mid, bidSize, askSize, ageMs };
  }

  get symbol(): string {
    if (this.#price === CLOSED) throw new ViewClosed();
    return this.#symbol;
  }

  get bid(): number {
    return this.#price.bid;
  }

  get ask(): number {
    return this.#price.ask;
  }

  get mid(): number {
    const { bid, ask } = this.#price;
    return (bid + ask) / 2;
  }

  get bidSize(): number | undefined {
    return known(this.#price.bidSize);
  }

  get askSize(): number | undefined {
    return known(this.#price.askSize);
  }

  get ageMs(): number {
    return this.#moment.now - this.#price.since;
  }
}

class BarLens implements BarView {
  static readonly [SHOWN] = `the view's bar, ${FOR_ONE_CALL}: keep its numbers, as in bar.close`;
  #bar: BarView = CLOSED;

  static {
    setBar = (lens, bar) => {
      lens.#bar = bar;
    };
  }

  constructor() {
    Object.freeze(this);
  }

  toJSON(): BarView {
    const { symbol, open, high, low, close, volume } = this;
    return { symbol, open, high, low, close, volume };
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
}

export abstract class LiveView implements ViewBase<unknown, object> {
  static readonly [SHOWN] = `the view, ${FOR_ONE_CALL}: keep what you need of it`;
  abstract readonly quote: QuoteView | undefined;
  abstract readonly state: object;
  abstract readonly params: unknown;
  #cursor: ViewControl = CLOSED;

  static {
    openView = (view, cursor) => {
      view.#cursor = cursor;
    };
    closeView = (view) => {
      view.#cursor = CLOSED;
    };
    cursorOf = (view) => view.#cursor;
  }

  get now(): number {
    return this.#cursor.moment.now;
  }

  get wake(): Wake {
    return this.#cursor.wake;
  }

  get bar(): BarView | undefined {
    return this.#cursor.bar;
  }

  get fair(): number | undefined {
    return this.#cursor.prices.value();
  }

  get noFair(): NoFair | undefined {
    const { pricing, prices } = this.#cursor;
    return prices === NO_PAIR ? undefined : reasonOf(pricing, prices as PairPrices);
  }

  get report(): ReportView | undefined {
    return this.#cursor.report;
  }

  get balances(): readonly BalanceView[] {
    return this.#cursor.sight.balances;
  }

  get instruments(): readonly Instrument[] {
    return this.#cursor.sight.instruments;
  }

  get fills(): readonly FillView[] {
    return this.#cursor.sight.fills;
  }

  get openOrders(): readonly OpenOrderView[] {
    return this.#cursor.sight.openOrders;
  }

  get outcomes(): readonly OutcomeView[] {
    return this.#cursor.sight.outcomes;
  }

  // Arrow functions, so that they work when destructured: `decide({ quoteOf, buy })`.
  readonly quoteOf = (symbol: string): QuoteView | undefined => {
    const cursor = this.#cursor;
    const prices = cursor.pricing.pairs.get(symbol as PairSymbol);
    return prices && cursor.lens(prices);
  };
  readonly fairOf = (symbol: string): number | undefined =>
    this.#cursor.pricing.pairs.get(symbol as PairSymbol)?.value();
  readonly noFairOf = (symbol: string): NoFair | undefined => {
    const { pricing } = this.#cursor;
    const prices = pricing.pairs.get(symbol as PairSymbol);
    return prices === undefined ? "missing" : reasonOf(pricing, prices);
  };
  readonly hidden = (symbol: string): HiddenView | undefined => {
    const { sight, moment } = this.#cursor;
    return sight.hidden(symbol, moment.now);
  };
  readonly note = (text: string): undefined => {
    this.#cursor.sight.note(text);
  };
  readonly balanceOf = (asset: string): BalanceView | undefined => this.#cursor.sight.balanceOf(asset);
  readonly instrumentOf = (symbol: string): Instrument | undefined => this.#cursor.sight.instrumentOf(symbol);
  readonly refusalOf = (proposal: Proposal): { readonly rule: string; readonly why: string } | undefined => {
    const refusal = this.#cursor.sight.refusalOf(proposal);
    return refusal && { rule: refusal.rule, why: refusal.message };
  };
  readonly buy = buy;
  readonly sell = sell;
}

/**
 * Values that are the same in each call are plain fields here, which cost nothing to read; the numbers in a kept quote
 * are still closed.
 */
export class ReusedView extends LiveView {
  readonly quote: QuoteView | undefined;
  readonly state: object;
  readonly params: unknown;

  constructor(cursor: ViewControl) {
    super();
    this.quote = cursor.quote;
    this.state = cursor.strategy.state;
    this.params = cursor.strategy.params;
    Object.freeze(this);
  }
}

/** Valid for one call; nothing can be read from it afterwards. */
export class FreshView extends LiveView {
  constructor() {
    super();
    Object.freeze(this);
  }

  get quote(): QuoteView | undefined {
    return cursorOf(this).quote;
  }

  get state(): object {
    return cursorOf(this).strategy.state;
  }

  get params(): unknown {
    return cursorOf(this).strategy.params;
  }
}

function reasonOf(pricing: Pricing, prices: PairPrices): NoFair | undefined {
  const fair = pricing.fair(prices);
  return fair.kind === "none" ? fair.reason : undefined;
}

function known(size: number): number | undefined {
  return Number.isNaN(size) ? undefined : size;
}

// The two helpers of a view. They only build the object; it is validated when it is returned.

function buy(symbol: string, ask: Ask): Proposal {
  return proposal("buy", symbol, ask);
}

function sell(symbol: string, ask: Ask): Proposal {
  return proposal("sell", symbol, ask);
}

function proposal(side: Side, symbol: string, ask: Ask): Proposal {
  const { limit, size, reason, lifetimeMs } = ask;
  // Values under other names are passed on, so that the refusal can name them.
  if (limit === undefined || size === undefined || reason === undefined || mayBeMisspelt(ask))
    return { ...ask, symbol: symbol as PairSymbol, side, lifetimeMs };
  return { symbol: symbol as PairSymbol, side, limit, size, reason, lifetimeMs };
}
