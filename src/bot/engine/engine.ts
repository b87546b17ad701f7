// The engine's contract: events in, steps out, in one synchronous and deterministic function. No clock, no chance, no input or
// output; a quote that proposes nothing allocates nothing.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type { CoinCost, Event, QuoteEvent } from "../../domain/event.ts";
import type { NoFair } from "../../domain/fair.ts";
import type { Instrument } from "../../domain/instrument.ts";
import type { Result } from "../../domain/result.ts";
import type { OrderIntent, Proposal, Refusal, Step } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { QuoteColumns } from "../../market/column.ts";
import type { Complaint } from "../../market/complaint.ts";
import type { Pricing } from "../../market/pricing.ts";
import type { Counters } from "../../risk/counters.ts";
import type { Gate, Preview, RiskContext } from "../../risk/rule.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { SavedState } from "../../strategy/state.ts";
import type { FillView } from "../../strategy/view.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { SavedAccounts } from "../accounts/saved-accounts.ts";
import type { Statement } from "../accounts/statement.ts";
import type { KeptBack } from "../strategy-host/account-view.ts";

export type EngineParts = {
  readonly strategy: Strategy;
  readonly gate: Gate;
  readonly counters: Counters;
  readonly accounts: Accounts;
  readonly pricing: Pricing;
  readonly settings: EngineSettings;
  /** What a saved engine knew beside accounts, books and strategy; the venue's next list replaces its pairs. */
  readonly saved?: Pick<SavedEngine, "sequence" | "at" | "instruments" | "fills">;
};

/** What a strategy said of itself last, cut to a bound, and since when. */
export type Said = { readonly text: string; readonly at: Millis };

/** Sizes in base units; undefined where the venue does not say. */
export type Top = {
  readonly bid: number;
  readonly ask: number;
  readonly bidSize: number | undefined;
  readonly askSize: number | undefined;
  readonly ageMs: number;
};

export type EngineSettings = {
  /** The asset in which limits are counted. */
  readonly currency: Asset;
  /** How long a decision is good for at most. */
  readonly lifetimeMsMax: number;
  /** How often equity is looked at while nothing but prices moves; before an order it is always looked at. */
  readonly lookEveryMs?: number;
  /** What coins of the opening had cost, each in the currency that it stands for. */
  readonly openingCosts?: readonly CoinCost[];
  /** What views leave out of an asset's free amount; nothing, unless told. */
  readonly kept?: KeptBack;
  /** Fresh views are slower and show a strategy that keeps one. */
  readonly views?: "reused" | "fresh";
};

export interface Engine {
  /** The step of a bare quote, bar or timer that led to nothing is one reused object: read it before the next event. */
  process(event: Event): Step;
  /** The same for a quote, for callers that have many quotes and nothing else. */
  quote(event: QuoteEvent): Step;
  /**
   * Processes the venue's quotes of these rows as `process` would, up to the first whose step is not quiet: gives its row,
   * and `step` is its step. Without one it gives `to`. Some hundred rows a call run fastest. Each was received `lagMs`
   * before the time of its row: the clock of events may be behind that of the record. The columns stay as they are until
   * their last row was processed: sizes are read from them when somebody asks.
   */
  run(quotes: QuoteColumns, from: number, to: number, lagMs?: number): number;
  /** The last step of `run` that was not quiet. */
  readonly step: Step;
  /** Takes over a recorded step without deciding anything: how a journal becomes books again. */
  apply(step: Step): void;
  /** An order that somebody other than the strategy wants, through door and gate like any other; nothing comes of it while stopped. */
  wish(proposal: Proposal, at: Millis): Step;
  /** What the gate would say of this proposal now, and to what size it would cut it. Changes nothing. */
  preview(proposal: Proposal): Preview;
  /** Why the gate could not judge this proposal now: prices are missing or too old. Changes nothing. */
  unjudged(proposal: Proposal): Refusal | undefined;
  /** Whether it is known what the asset is worth at this time, which must not lie ahead. */
  isValued(asset: Asset, at: Millis): boolean;
  /** The venue's last good quote. */
  topOf(symbol: PairSymbol): Top | undefined;
  /** What fresh quotes would earn, by the strategy's own word; undefined when it does not say, or does not trade now. */
  quotesGain(now: Millis): number | undefined;
  /** What an order would earn, likewise; absent where the strategy does not say what things are worth. */
  readonly gainOf: ((order: OrderIntent) => number | undefined) | undefined;
  /** What the account is worth now and where its profit came from: the figures of every display. */
  statement(): Statement;
  /** Halted or killed. */
  isStopped(): boolean;
  /** What the strategy last had to say about itself. */
  readonly said: Said | undefined;
  /** Why the strategy's last word on worth could not be taken. */
  readonly worthProblem: string | undefined;
  /** Why a reference of a pair counts for nothing now; undefined where it counts. */
  doubtOf(source: string, symbol: PairSymbol): NoFair | undefined;
  /** What is wrong with references now, for people. */
  complaints(): readonly Complaint[];
  /** When the currency markets open again, where they close and are closed now. */
  closedUntil(): number | undefined;
  /** Between two events: the new one decides from the next event on. */
  replaceStrategy(strategy: Strategy): void;
  readonly strategy: Strategy;
  readonly sequence: number;
  /** The time of the newest event; it never goes back. */
  readonly now: Millis;
  /** What rules see: for the check when a slot opens, and for people. */
  readonly context: RiskContext;
  /** As the venue last listed them. */
  readonly instruments: ReadonlyMap<PairSymbol, Instrument>;
  /** Plain data, good for JSON; an error names what in the strategy's state cannot be saved. */
  save(): Result<SavedEngine>;
}

/**
 * Accounts and books by their own `save`, the strategy by `saveState`. Prices and the last outcomes that a view shows are not
 * kept: the one comes anew, the other from recorded steps. Of fills there may be none for as long as nothing but kills comes.
 */
export type SavedEngine = {
  readonly sequence: number;
  /** Undefined before the first event. */
  readonly at: Millis | undefined;
  readonly accounts: SavedAccounts;
  readonly counters: unknown;
  readonly instruments: readonly Instrument[];
  /** Those that views show, newest last. */
  readonly fills: readonly FillView[];
  readonly strategy: { readonly name: string; readonly state: SavedState };
};
