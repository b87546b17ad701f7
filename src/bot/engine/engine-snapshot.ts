// The engine's data for views, at the engine's time.

import type { PairSymbol } from "../../domain/asset.ts";
import type { OrderReport } from "../../domain/event.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Decision, OrderIntent, Proposal, Refusal } from "../../domain/step.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { Pricing } from "../../market/pricing.ts";
import type { BalanceView, FillView, HiddenView, OpenOrderView, OutcomeView } from "../../strategy/view.ts";
import { AccountViews, type KeptBack } from "../strategy-host/account-view.ts";
import { OutcomeViews } from "../strategy-host/outcome-view.ts";
import type { ViewSource } from "../strategy-host/view.ts";
import type { Said, SavedEngine } from "./engine.ts";
import type { Fold, Witness } from "./fold.ts";
import { HiddenPrices, priceOf } from "./hidden-prices.ts";

const NOTE_LENGTH_MAX = 200;

export class EngineSnapshot implements ViewSource, Witness {
  readonly #fold: Fold;
  readonly pricing: Pricing;
  readonly hiddenPrices: HiddenPrices;
  readonly #accounts: AccountViews;
  readonly #outcomes = new OutcomeViews();
  #note: string | undefined = undefined;
  /** The strategy's last note. */
  said: Said | undefined = undefined;
  /** Set by the engine, because the gate depends on this snapshot. */
  refusalOf: (proposal: Proposal) => Refusal | undefined = () => undefined;
  #listed: readonly Instrument[] = [];
  #listedFrom: ReadonlyMap<PairSymbol, Instrument> | undefined = undefined;

  constructor(
    fold: Fold,
    pricing: Pricing,
    kept: KeptBack,
    { fills = [], hiddenPrices }: Partial<Pick<SavedEngine, "fills" | "hiddenPrices">> = {},
  ) {
    this.#fold = fold;
    this.pricing = pricing;
    this.#accounts = new AccountViews(fold.accounts, kept, fills);
    this.hiddenPrices = new HiddenPrices(hiddenPrices);
    pricing.hiddenLow = (symbol, fair) => this.hiddenPrices.of(symbol).low(fair, pricing.moment.now);
    fold.witness = this;
  }

  approved(intent: OrderIntent, fair: number | undefined): void {
    this.hiddenPrices.approved(intent, fair);
  }

  ended(intent: OrderIntent, report: OrderReport, at: Millis): void {
    if (report.kind === "filled") {
      this.#accounts.remember(report.fill, intent, at);
      this.pricing.filled(report.fill.symbol, priceOf(report.fill), at);
    }
    this.hiddenPrices.ended(intent, report, at);
    this.#outcomes.remember(intent, report, at);
  }

  refused(decision: Decision, at: Millis): void {
    this.#outcomes.remember(undefined, decision, at);
  }

  note(text: string): void {
    // Usually the same text as at the previous quote.
    if (text === this.#note) return;
    this.#note = text;
    this.said = { text: printable(String(text).trim(), NOTE_LENGTH_MAX), at: millis(this.pricing.moment.now) };
  }

  /** A new strategy has no note yet. */
  forget(): void {
    this.#note = undefined;
    this.said = undefined;
  }

  instrumentOf(symbol: string): Instrument | undefined {
    return this.#fold.instruments.get(symbol as PairSymbol);
  }

  get instruments(): readonly Instrument[] {
    if (this.#listedFrom !== this.#fold.instruments) {
      this.#listedFrom = this.#fold.instruments;
      this.#listed = Object.freeze([...this.#listedFrom.values()]);
    }
    return this.#listed;
  }

  hidden(symbol: string, at: number): HiddenView | undefined {
    const fair = this.pricing.pairs.get(symbol as PairSymbol)?.value();
    return fair === undefined ? undefined : this.hiddenPrices.of(symbol as PairSymbol).view(fair, at);
  }

  balanceOf(asset: string): BalanceView | undefined {
    return this.#accounts.balanceOf(asset);
  }

  get balances(): readonly BalanceView[] {
    return this.#accounts.balances;
  }

  get fills(): readonly FillView[] {
    return this.#accounts.fills;
  }

  get outcomes(): readonly OutcomeView[] {
    return this.#outcomes.outcomes;
  }

  get openOrders(): readonly OpenOrderView[] {
    return this.#accounts.openOrders;
  }
}
