// The engine's data for views, at the engine's time.

import type { PairSymbol } from "../../domain/asset.ts";
import type { OrderReport } from "../../domain/event.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { fillPrice } from "../../domain/order.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Decision, OrderIntent, Proposal, Refusal } from "../../domain/step.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { Pricing } from "../../market/pricing.ts";
import type { BalanceView, FillView, OpenOrderView, OutcomeView } from "../../strategy/view.ts";
import { AccountViews, type KeptBack } from "../strategy-host/account-view.ts";
import { OutcomeViews } from "../strategy-host/outcome-view.ts";
import type { ViewSource } from "../strategy-host/view.ts";
import type { Said } from "./engine.ts";
import type { Fold, Witness } from "./fold.ts";

const NOTE_LENGTH_MAX = 200;

export class EngineSnapshot implements ViewSource, Witness {
  readonly #fold: Fold;
  readonly pricing: Pricing;
  readonly #accounts: AccountViews;
  readonly #outcomes = new OutcomeViews();
  #note: string | undefined = undefined;
  /** The strategy's last note. */
  said: Said | undefined = undefined;
  /** Set by the engine, because the gate depends on this snapshot. */
  refusalOf: (proposal: Proposal) => Refusal | undefined = () => undefined;
  #listed: readonly Instrument[] = [];
  #listedFrom: ReadonlyMap<PairSymbol, Instrument> | undefined = undefined;

  constructor(fold: Fold, pricing: Pricing, kept: KeptBack, fills: readonly FillView[] = []) {
    this.#fold = fold;
    this.pricing = pricing;
    this.#accounts = new AccountViews(fold.accounts, kept, fills);
    fold.witness = this;
  }

  ended(intent: OrderIntent, report: OrderReport, at: Millis): void {
    if (report.kind === "filled") {
      this.#accounts.remember(report.fill, intent, at);
      const { symbol, side, bought, sold } = report.fill;
      const [base, quote] = side === "buy" ? [bought, sold] : [sold, bought];
      this.pricing.filled(symbol, fillPrice(quote.toNumber(), base.toNumber()), at);
    }
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
