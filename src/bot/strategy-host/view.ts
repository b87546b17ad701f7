// The strategy's view: prices and accounts of this moment, read on demand and open only while `decide` runs. What it
// returns are copies, so a strategy may keep a quote; a view that it keeps throws outside its call.

import type { Books } from "../../books/books.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import type { NoFair } from "../../domain/fair.ts";
import type { Instrument } from "../../domain/instrument.ts";
import type { Side } from "../../domain/order.ts";
import type { Proposal } from "../../domain/step.ts";
import type { PairPrices } from "../../market/pair-prices.ts";
import type { Pricing } from "../../market/pricing.ts";
import type { Preview } from "../../risk/rule.ts";
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
import { mayBeMisspelt } from "./answer.ts";

/** A strategy read its view, or a part of it, outside `decide`. */
class ViewClosed extends Error {
  override readonly name = "ViewClosed";

  constructor() {
    super("a view is valid only while decide runs: copy the numbers you want to keep into state");
  }
}

/** What a view reads and does beyond the books. */
export type ViewActions = {
  readonly preview: (proposal: Proposal) => Preview;
  readonly note: (text: string) => void;
};

/** What wakes the strategy. */
export type Call = {
  readonly wake: Wake;
  /** Of the event's pair. */
  readonly prices?: PairPrices | undefined;
  readonly bar?: BarView | undefined;
  readonly report?: ReportView | undefined;
};

// Set by a static block, so that the object a strategy gets has no method that opens it.
export let openView: (view: StrategyView, call: Call) => void;
export let closeView: (view: StrategyView) => void;

export class StrategyView implements ViewBase<unknown, object> {
  static readonly [SHOWN] = "the view, which is open during one call only: keep what you need of it";
  readonly #books: Books;
  readonly #actions: ViewActions;
  readonly #strategy: Strategy;
  #call: Call | undefined = undefined;

  static {
    openView = (view, call) => {
      view.#call = call;
    };
    closeView = (view) => {
      view.#call = undefined;
    };
  }

  constructor(books: Books, strategy: Strategy, actions: ViewActions) {
    this.#books = books;
    this.#actions = actions;
    this.#strategy = strategy;
    Object.freeze(this);
  }

  get #open(): Call {
    if (this.#call === undefined) throw new ViewClosed();
    return this.#call;
  }

  get #shown(): Books {
    return this.#open && this.#books;
  }

  get now(): number {
    return this.#shown.prices.moment.now;
  }

  get wake(): Wake {
    return this.#open.wake;
  }

  get quote(): QuoteView | undefined {
    const { prices } = this.#open;
    return prices && quoteView(prices, this.now);
  }

  get bar(): BarView | undefined {
    return this.#open.bar;
  }

  get report(): ReportView | undefined {
    return this.#open.report;
  }

  get state(): object {
    return this.#open && this.#strategy.state;
  }

  get params(): unknown {
    return this.#open && this.#strategy.params;
  }

  get fair(): number | undefined {
    return this.#open.prices?.value();
  }

  get noFair(): NoFair | undefined {
    const { prices } = this.#open;
    return prices && reasonOf(this.#books.prices, prices);
  }

  get balances(): readonly BalanceView[] {
    return this.#shown.balances;
  }

  get instruments(): readonly Instrument[] {
    return this.#shown.listed;
  }

  get fills(): readonly FillView[] {
    return this.#shown.fills;
  }

  get openOrders(): readonly OpenOrderView[] {
    return this.#shown.openOrders;
  }

  get outcomes(): readonly OutcomeView[] {
    return this.#shown.outcomes;
  }

  // Arrow functions, so that they work when destructured: `decide({ quoteOf, buy })`.
  readonly quoteOf = (symbol: string): QuoteView | undefined => {
    const prices = this.#shown.prices.pairs.get(symbol as PairSymbol);
    return prices && quoteView(prices, this.now);
  };
  readonly fairOf = (symbol: string): number | undefined => this.#shown.prices.pairs.get(symbol as PairSymbol)?.value();
  readonly noFairOf = (symbol: string): NoFair | undefined => {
    const { prices: pricing } = this.#shown;
    const prices = pricing.pairs.get(symbol as PairSymbol);
    return prices === undefined ? "missing" : reasonOf(pricing, prices);
  };
  readonly hidden = (symbol: string): HiddenView | undefined => this.#shown.hidden(symbol as PairSymbol);
  readonly note = (text: string): undefined => {
    if (this.#open) this.#actions.note(text);
  };
  readonly balanceOf = (asset: string): BalanceView | undefined => this.#shown.balanceOf(asset);
  readonly instrumentOf = (symbol: string): Instrument | undefined => this.#shown.instruments.get(symbol as PairSymbol);
  readonly refusalOf = (proposal: Proposal): { readonly rule: string; readonly why: string } | undefined => {
    const found = this.#open && this.#actions.preview(proposal);
    return found?.kind === "refused" ? { rule: found.refusal.rule, why: found.refusal.message } : undefined;
  };
  readonly roomFor = (proposal: Proposal): number | undefined => {
    const found = this.#open && this.#actions.preview(proposal);
    return (found?.kind === "passes" ? found.quantity : found?.left)?.toNumber();
  };
  readonly buy = buy;
  readonly sell = sell;
}

/** Undefined unless the venue's last quote was good. */
function quoteView({ symbol, venue }: PairPrices, now: number): QuoteView | undefined {
  if (venue.seen !== "good") return undefined;
  const { bid, ask, bidSize, askSize, since } = venue;
  return { symbol, bid, ask, mid: (bid + ask) / 2, bidSize, askSize, ageMs: now - since };
}

function reasonOf(pricing: Pricing, prices: PairPrices): NoFair | undefined {
  const fair = pricing.fair(prices);
  return fair.kind === "none" ? fair.reason : undefined;
}

// The two helpers of a view. They only build the object; it is validated when it is returned.

function buy(symbol: string, ask: Ask): Proposal {
  return proposal("buy", symbol, ask);
}

function sell(symbol: string, ask: Ask): Proposal {
  return proposal("sell", symbol, ask);
}

function proposal(side: Side, symbol: string, ask: Ask): Proposal {
  const { limit, size, sizeMin, reason, lifetimeMs, odds } = ask;
  // Values under other names are passed on, so that the refusal can name them.
  if (limit === undefined || size === undefined || reason === undefined || mayBeMisspelt(ask))
    return { ...ask, symbol: symbol as PairSymbol, side, lifetimeMs };
  const proposed = { symbol: symbol as PairSymbol, side, limit, size, sizeMin, reason, lifetimeMs, odds };
  return proposed;
}
