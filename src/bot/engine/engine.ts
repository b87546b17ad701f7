// The engine's contract: events in, steps out, in one synchronous and deterministic function. No clock, no randomness,
// no I/O.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type { CoinCost, Event } from "../../domain/event.ts";
import type { NoFair } from "../../domain/fair.ts";
import type { Instrument } from "../../domain/instrument.ts";
import type { FillsAt } from "../../domain/order.ts";
import type { Result } from "../../domain/result.ts";
import type { Proposal, Refusal, Step } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { Complaint } from "../../market/complaint.ts";
import type { OwnFill, Pricing } from "../../market/pricing.ts";
import type { Counters } from "../../risk/counters.ts";
import type { Gate, Preview, RiskContext } from "../../risk/rule.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { FillView, HiddenView } from "../../strategy/view.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { SavedAccounts } from "../accounts/saved-accounts.ts";
import type { Statement } from "../accounts/statement.ts";
import type { KeptBack } from "../strategy-host/account-view.ts";
import type { SavedHiddenPrices } from "./hidden-prices.ts";

export type EngineParts = {
  readonly strategy: Strategy;
  readonly gate: Gate;
  readonly counters: Counters;
  readonly accounts: Accounts;
  readonly pricing: Pricing;
  readonly settings: EngineSettings;
  /** A saved engine's data besides accounts, counters and strategy; the venue's next list replaces its pairs. */
  readonly saved?: Pick<SavedEngine, "sequence" | "at" | "instruments" | "fills" | "ownFills" | "hiddenPrices">;
};

/** The strategy's last note, truncated, and its time. */
export type Said = { readonly text: string; readonly at: Millis };

/** Sizes in base units; undefined if the venue does not report them. */
export type Top = {
  readonly bid: number;
  readonly ask: number;
  readonly bidSize: number | undefined;
  readonly askSize: number | undefined;
  readonly ageMs: number;
};

export type EngineSettings = {
  /** The currency of the limits. */
  readonly currency: Asset;
  /** The maximum lifetime of a decision. */
  readonly lifetimeMsMax: number;
  /** The interval of equity checks while only prices move; equity is always checked before an order. */
  readonly lookEveryMs?: number;
  /** The cost of coins in the opening, each in its own fiat. */
  readonly openingCosts?: readonly CoinCost[];
  readonly fillsAt?: FillsAt;
  /** The amounts that views deduct from an asset's free amount; none by default. */
  readonly kept?: KeptBack;
};

export interface Engine {
  process(event: Event): Step;
  /** Applies a recorded step without deciding anything, to rebuild the books from a journal. */
  apply(step: Step): void;
  /**
   * Proposes an order on behalf of a caller other than the strategy, through the same validation and gate; no effect
   * while stopped.
   */
  wish(proposal: Proposal, at: Millis): Step;
  /** The gate's verdict on this proposal now, and the size after caps. Changes nothing. */
  preview(proposal: Proposal): Preview;
  /** Why the gate cannot judge this proposal now: prices are missing or too old. Changes nothing. */
  unjudged(proposal: Proposal): Refusal | undefined;
  /** Whether the asset has a known value at this time, which must not be in the future. */
  isValued(asset: Asset, at: Millis): boolean;
  /** The venue's last good quote. */
  topOf(symbol: PairSymbol): Top | undefined;
  /** What order outcomes taught about the pair; undefined where quotes are shown, without an outcome or a fair value. */
  hiddenOf(symbol: PairSymbol): HiddenView | undefined;
  /** The account's current value and the sources of its profit: the figures of every display. */
  statement(): Statement;
  /** Whether the trading state is HALTED. */
  isStopped(): boolean;
  readonly said: Said | undefined;
  /** Why a reference of a pair is not used now; undefined if it is used. */
  doubtOf(source: string, symbol: PairSymbol): NoFair | undefined;
  /** Current problems of references, as messages. */
  complaints(): readonly Complaint[];
  /** When the currency markets reopen; undefined while they are open or have no closing hours. */
  closedUntil(): number | undefined;
  /** The venue shows no quotes, until one arrives. */
  hideQuotes(): void;
  /** Called between two events: the new strategy decides from the next event on. */
  replaceStrategy(strategy: Strategy): void;
  readonly strategy: Strategy;
  readonly sequence: number;
  /** The time of the newest event; it never goes back. */
  readonly now: Millis;
  /** The rules' inputs, for the check when a slot opens and for display. */
  readonly context: RiskContext;
  /** From the venue's last list. */
  readonly instruments: ReadonlyMap<PairSymbol, Instrument>;
  /** Plain JSON data; an error names the part of the strategy's state that cannot be saved. */
  save(): Result<SavedEngine>;
}

/**
 * Accounts and counters are saved by their own `save`, the strategy by `saveState`. Prices and the last outcomes of a
 * view are not saved: prices arrive again, outcomes come from recorded steps. Fills are saved because recent steps may
 * contain only unfilled orders.
 */
export type SavedEngine = {
  readonly sequence: number;
  /** Undefined before the first event. */
  readonly at: Millis | undefined;
  readonly accounts: SavedAccounts;
  readonly counters: unknown;
  readonly instruments: readonly Instrument[];
  /** The fills that views show, newest last. */
  readonly fills: readonly FillView[];
  /** The last fill of each pair, by which holdings are marked where the venue shows no quotes. */
  readonly ownFills: readonly (readonly [PairSymbol, OwnFill])[];
  /** What order outcomes taught about prices that the venue does not show. */
  readonly hiddenPrices: SavedHiddenPrices;
  readonly strategy: { readonly name: string; readonly state: unknown };
};
