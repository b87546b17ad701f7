// The books: accounts, counters and prices, changed by nothing but events and decisions. A live event and a recorded
// step pass the same functions, so a replay of the journal gives the same books to the last digit, without a price,
// a strategy or a gate.

import type { PairSymbol } from "../domain/asset.ts";
import type { AdoptionEvent, CoinCost, Event, Halt, OrderReport, ReportEvent } from "../domain/event.ts";
import type { NoFair } from "../domain/fair.ts";
import type { Instrument } from "../domain/instrument.ts";
import { invariant } from "../domain/invariant.ts";
import type { Money } from "../domain/money/money.ts";
import { feeOf, type MovementEvent } from "../domain/movement.ts";
import { type ClientOrderId, type Fill, legsText } from "../domain/order.ts";
import type { ReliabilityFigures } from "../domain/reliability.ts";
import type { Basis, Decision, MidOfPair, OrderIntent, Proposal, Step } from "../domain/step.ts";
import { type Millis, millis } from "../domain/time.ts";
import { frozenBy } from "../execution/effects.ts";
import type { ExecutorView } from "../execution/executor.ts";
import { ADOPT_AND_RESUME, lateSubject } from "../execution/remediation.ts";
import type { Moment } from "../execution/request.ts";
import type { ControlRecord } from "../journal/record.ts";
import { type Complaint, complaintsOf } from "../market/complaint.ts";
import type { OwnFill, Pricing } from "../market/pricing.ts";
import type { CounterEntry, Counters, SavedCounters, StateCommand } from "../risk/counters.ts";
import type { RiskContext } from "../risk/rule.ts";
import { RESUME } from "../risk/trading-state.ts";
import type { BalanceView, FillView, HiddenView, OpenOrderView, OutcomeView } from "../strategy/view.ts";
import { AccountViews, type KeptBack, OutcomeViews } from "./account-view.ts";
import type { Accounts, SavedAccounts } from "./accounts/accounts.ts";
import { type Statement, statementOf } from "./accounts/statement.ts";
import { crossingOf, valuedAdoption, valuedMovement } from "./adoption.ts";
import { type HiddenPrices, priceOf, type SavedHiddenPrices } from "./hidden-prices.ts";
import type { Valuation } from "./valuation.ts";

export type BooksParts = {
  readonly accounts: Accounts;
  readonly counters: Counters;
  readonly prices: Pricing;
  readonly pricing: Valuation;
  readonly hiddenPrices: HiddenPrices;
  /** Open requests freeze pairs; without it none is frozen. */
  readonly executor?: Pick<ExecutorView, "freeze">;
  /** The amounts that views deduct from an asset's free amount. */
  readonly keptBack?: KeptBack;
  /** The cost of coins in the opening, each in its own fiat. */
  readonly openingCosts?: readonly CoinCost[];
  readonly saved?: Omit<SavedBooks, "accounts" | "counters" | "hiddenPrices"> | undefined;
};

/**
 * Prices and the last outcomes of a view are not saved: prices arrive again, outcomes come from recorded steps. Fills
 * are saved because recent steps may contain only unfilled orders.
 */
export type SavedBooks = {
  readonly sequence: number;
  /** Undefined before the first event. */
  readonly at: Millis | undefined;
  readonly accounts: SavedAccounts;
  readonly counters: SavedCounters;
  readonly instruments: readonly Instrument[];
  /** The fills that views show, newest last. */
  readonly fills: readonly FillView[];
  /** The last fill of each pair, by which holdings are marked where the venue shows no quotes. */
  readonly ownFills: readonly (readonly [PairSymbol, OwnFill])[];
  readonly hiddenPrices: SavedHiddenPrices;
};

/** Sizes in base units; undefined if the venue does not report them. */
export type Top = {
  readonly bid: number;
  readonly ask: number;
  readonly bidSize: number | undefined;
  readonly askSize: number | undefined;
  readonly ageMs: number;
};

/** A halt if the event contradicts the books; `unusable`: a price that no strategy should read. */
export type Taken = StateCommand | "taken" | "unusable";

type Value = Pick<AdoptionEvent, "value" | "atPar">;

export class Books implements RiskContext {
  readonly accounts: Accounts;
  readonly counters: Counters;
  readonly prices: Pricing;
  readonly pricing: Valuation;
  readonly hiddenPrices: HiddenPrices;
  /** When the turn under way began, because freezes depend on time. */
  moment: Moment | undefined = undefined;
  /** The order that the last report changed. */
  reported: OrderIntent | undefined = undefined;
  readonly #executor: BooksParts["executor"];
  readonly openingCosts: readonly CoinCost[];
  readonly #accountViews: AccountViews;
  readonly #outcomeViews = new OutcomeViews();
  #instruments: ReadonlyMap<PairSymbol, Instrument>;
  #listed: readonly Instrument[] | undefined = undefined;

  constructor(parts: BooksParts) {
    const { accounts, prices, keptBack = { reserveBps: 0, feeBps: 0 }, saved } = parts;
    this.accounts = accounts;
    this.counters = parts.counters;
    this.prices = prices;
    this.pricing = parts.pricing;
    this.hiddenPrices = parts.hiddenPrices;
    this.#executor = parts.executor;
    this.openingCosts = parts.openingCosts ?? [];
    this.#accountViews = new AccountViews(accounts, keptBack, saved?.fills ?? []);
    this.#instruments = bySymbol(saved?.instruments ?? []);
    if (saved === undefined) return;
    if (saved.at !== undefined) prices.moment.reach(saved.at);
    prices.moment.sequence = saved.sequence;
    for (const [symbol, { price, at }] of saved.ownFills) prices.filled(symbol, price, at);
  }

  // What rules, strategies and displays read.

  /** The time of the newest event; it never goes back. */
  get now(): Millis {
    return millis(this.prices.moment.now);
  }

  /** The number of events taken. */
  get sequence(): number {
    return this.prices.moment.sequence;
  }

  get isHalted(): boolean {
    return this.counters.state === "HALTED";
  }

  /** From the venue's last list. */
  get instruments(): ReadonlyMap<PairSymbol, Instrument> {
    return this.#instruments;
  }

  get listed(): readonly Instrument[] {
    this.#listed ??= Object.freeze([...this.#instruments.values()]);
    return this.#listed;
  }

  get balances(): readonly BalanceView[] {
    return this.#accountViews.balances;
  }

  get fills(): readonly FillView[] {
    return this.#accountViews.fills;
  }

  get openOrders(): readonly OpenOrderView[] {
    return this.#accountViews.openOrders;
  }

  get outcomes(): readonly OutcomeView[] {
    return this.#outcomeViews.outcomes;
  }

  balanceOf(asset: string): BalanceView | undefined {
    return this.#accountViews.balanceOf(asset);
  }

  frozenBy({ base, quote }: Instrument): string | undefined {
    const { moment } = this;
    return moment && this.#executor && frozenBy(this.#executor.freeze(moment), base, quote);
  }

  /** The account's current value and the sources of its profit: the figures of every display. */
  statement(): Statement {
    return statementOf(this.accounts, this.counters.shown.totals, this.pricing, this.pricing.equity());
  }

  /** The venue's last good quote. */
  topOf(symbol: PairSymbol): Top | undefined {
    const venue = this.prices.pairs.get(symbol)?.venue;
    if (venue?.seen !== "good") return undefined;
    const { bid, ask, bidSize, askSize, since } = venue;
    return { bid, ask, bidSize, askSize, ageMs: this.prices.moment.now - since };
  }

  /** What order outcomes taught about the pair; undefined without a fair value. */
  hidden(symbol: PairSymbol): HiddenView | undefined {
    const fair = this.prices.pairs.get(symbol)?.value();
    return fair === undefined ? undefined : this.hiddenPrices.of(symbol).view(fair, this.prices.moment.now);
  }

  /** The same, undefined also where quotes are shown, and without an outcome. */
  hiddenOf(symbol: PairSymbol): HiddenView | undefined {
    const hidden = this.prices.isBlind ? this.hidden(symbol) : undefined;
    return hidden?.ask.ageMs === undefined ? undefined : hidden;
  }

  /** How far chances of fills could be relied on; undefined where quotes are shown, and before the first order. */
  reliability(): ReliabilityFigures | undefined {
    return this.prices.isBlind ? this.hiddenPrices.reliability.figures() : undefined;
  }

  /** Why a reference of a pair is not used now; undefined if it is used. */
  doubtOf(source: string, symbol: PairSymbol): NoFair | undefined {
    const prices = this.prices.pairs.get(symbol);
    return prices === undefined ? "missing" : this.prices.doubtOf(prices, source);
  }

  /** Current problems of references, as messages. */
  complaints(): readonly Complaint[] {
    return complaintsOf(this.prices);
  }

  save(): SavedBooks {
    return {
      sequence: this.sequence,
      at: Number.isFinite(this.now) ? this.now : undefined,
      accounts: this.accounts.save(),
      counters: this.counters.save(),
      instruments: this.listed,
      fills: this.fills,
      ownFills: [...this.prices.ownFills],
      hiddenPrices: this.hiddenPrices.save(),
    };
  }

  // What changes them.

  /** The venue shows no quotes, until one arrives. */
  hideQuotes(): void {
    this.prices.hideQuotes();
    this.#listPairs();
  }

  /** The event with the values of this moment, which are recorded with it: a replay needs no price. */
  valued(event: Event): Event {
    if (event.kind === "adoption") return valuedAdoption({ ...event, ...this.#costsOf(event) }, this.pricing);
    if (event.kind !== "movement") return event;
    return valuedMovement(event, this.accounts.movements.flight(event.id), this.pricing);
  }

  take(event: Event): Taken {
    const { prices } = this;
    switch (event.kind) {
      case "timer":
        prices.moment.reach(event.receivedAt);
        return "taken";
      case "quote":
        prices.moment.next(event.receivedAt);
        return this.#quote(event);
      case "bar":
        prices.moment.next(event.receivedAt);
        prices.pair(event.symbol);
        return "taken";
      default:
        prices.moment.next(event.receivedAt);
        return this.#apply(event, this.now) ?? "taken";
    }
  }

  /** Applies a whole recorded step, in the engine's order. */
  replay(step: Step): void {
    const { at } = step;
    const { moment } = this.prices;
    moment.reach(at);
    moment.sequence = Math.max(moment.sequence, step.sequence);
    this.#apply(step.event, at);
    if (step.mids !== undefined) this.mids(step.mids, at);
    if (step.mark !== undefined) this.mark(step.mark, step.ownAtPar, at);
    for (const decision of step.decisions) if (decision.verdict.kind === "refused") this.refused(decision, at);
    for (const command of step.commands) {
      if (command.kind === "state") this.command(command, at);
      else this.#submitted(command.intent, step);
    }
  }

  /** A control that was journaled without a step. */
  control({ control, at }: ControlRecord): void {
    this.prices.moment.reach(at);
    this.#count({ kind: "control", control, at });
  }

  /** Reserves both ways at once, before the next proposal is checked. */
  approved(intent: OrderIntent, basis: Partial<Basis>, odds?: Proposal["odds"], at = this.now): void {
    const { rate, bid, ask, fair } = basis;
    this.accounts.reserve(intent);
    const isHidden = bid === undefined || ask === undefined;
    const mid = isHidden ? fair : (bid + ask) / 2;
    this.#count({ kind: "approved", intent, rate, mid, at });
    // What the venue shows needs no learning.
    if (isHidden) this.hiddenPrices.approved(intent, basis, odds, at);
  }

  refused(decision: Decision, at = this.now): void {
    this.#count({ kind: "refused", at });
    this.#outcomeViews.remember(undefined, decision, at);
  }

  command(command: StateCommand, at = this.now): void {
    this.#count({ kind: "state", command, at });
  }

  mark(equity: Money, ownAtPar: Money | undefined, at = this.now): void {
    this.#count({ kind: "mark", equity, ownAtPar, at });
  }

  mids(mids: readonly MidOfPair[], at = this.now): void {
    this.#count({ kind: "mids", mids, at });
  }

  #quote(event: Extract<Event, { kind: "quote" }>): Taken {
    const { prices } = this;
    const isGood = prices.pair(event.symbol).observe(event);
    if (prices.isBlind && event.source === "venue") prices.showQuotes();
    return isGood ? "taken" : "unusable";
  }

  #apply(event: Event, at: Millis): StateCommand | undefined {
    switch (event.kind) {
      case "balances":
        this.accounts.tell(event.balances);
        return undefined;
      case "adoption":
        this.accounts.adopt(event.amounts, event.costs);
        return this.#adopted(event, at, "adoption", "what was adopted");
      case "instruments":
        this.#instruments = bySymbol(event.instruments);
        this.#listed = undefined;
        this.#listPairs();
        return undefined;
      case "report":
        return this.#report(event, at);
      case "movement":
        return this.#move(event, at);
      case "control":
        this.#count({ kind: "control", control: event.control, at });
        return undefined;
      default:
        return undefined;
    }
  }

  #count(entry: CounterEntry): void {
    this.counters.apply(entry);
  }

  /** Without quotes nothing else makes a pair known. */
  #listPairs(): void {
    if (this.prices.isBlind) for (const symbol of this.#instruments.keys()) this.prices.pair(symbol);
  }

  /** Only for the opening; later money has no stated cost. */
  #costsOf({ amounts }: AdoptionEvent): Pick<AdoptionEvent, "costs"> {
    if (this.accounts.ledger.size > 0) return {};
    const costs = this.openingCosts.filter(({ asset }) => amounts.some((one) => one.asset === asset));
    return costs.length === 0 ? {} : { costs };
  }

  /** A deposit or withdrawal is neither profit nor loss: the bases of the loss limits shift by it. */
  #adopted({ value, atPar }: Value, at: Millis, subject: string, what: string): StateCommand | undefined {
    const isBaseLost = value === undefined && this.counters.peak !== undefined;
    this.#count({ kind: "adopted", value, atPar, at });
    if (!isBaseLost) return undefined;
    const reason = `${what} has no rate, so losses of the day and from the peak cannot be told`;
    return halted({ cause: "no_rate", subject, reason, wayOut: RESUME });
  }

  #move({ id, report, value, atPar, feeValue }: MovementEvent, at: Millis): StateCommand | undefined {
    const flight = this.accounts.movements.flight(id);
    const crossing = crossingOf(report, flight);
    const cost = feeOf(report, flight);
    const problem = this.accounts.move(id, report, at, feeValue);
    if (problem !== undefined) return contradiction(`moves of ${id}`, problem);
    if (cost !== undefined) this.#count({ kind: "fee", ...cost, value: feeValue, at });
    if (crossing === undefined) return undefined;
    const isIn = crossing.way === "in";
    const worth = isIn ? { value, atPar } : { value: value?.negated(), atPar: atPar?.negated() };
    return this.#adopted(worth, at, id, `what ${id} brought ${isIn ? "from " : ""}outside`);
  }

  #submitted(intent: OrderIntent, { decisions, at }: Step): void {
    const { clientOrderId: id } = intent;
    const decision = decisions.find(
      ({ verdict }) => verdict.kind === "approved" && verdict.intent.clientOrderId === id,
    );
    invariant(decision !== undefined, `submitted order ${id} must have its decision in the same step`);
    invariant(this.#instruments.has(intent.symbol), `submitted order ${id} must be of a listed symbol`);
    this.approved(intent, decision.basis, decision.proposal?.odds, at);
  }

  #report(event: ReportEvent, at: Millis): StateCommand | undefined {
    const { clientOrderId, report } = event;
    this.reported = undefined;
    if (report.kind === "filled") return this.#filled(event, report.fill, at);
    const { accounts } = this;
    const isOver = report.kind === "not-sent" || report.kind === "rejected" || report.kind === "dead";
    const intent = isOver ? accounts.release(clientOrderId) : accounts.open.get(clientOrderId)?.intent;
    if (intent === undefined) return this.#unknown(event, isOver ? accounts.endOf(clientOrderId) : undefined);
    this.reported = intent;
    if (isOver) this.#ended(intent, report, at);
    this.#count({ kind: "report", intent, clientOrderId, report, first: true, realised: undefined, at });
    return undefined;
  }

  #unknown({ clientOrderId, report }: ReportEvent, end: ReturnType<Accounts["endOf"]>): StateCommand | undefined {
    // A repeated report frees nothing twice and extends no streak.
    if (end === "not filled") return undefined;
    const what = `order ${clientOrderId} was reported ${report.kind}`;
    if (end === undefined) return contradiction(`unknown ${clientOrderId}`, `${what}, but the books do not know it`);
    const reason = `${what} after it had filled`;
    return halted({ cause: "late_fill", subject: `ended ${clientOrderId}`, reason, wayOut: ADOPT_AND_RESUME });
  }

  #filled({ clientOrderId, report }: ReportEvent, fill: Fill, at: Millis): StateCommand | undefined {
    const booking = this.#book(clientOrderId, fill);
    if (booking.kind === "contradiction") return contradiction(`fill of ${clientOrderId}`, booking.message);
    const first = booking.kind === "booked";
    const intent = first ? booking.intent : undefined;
    this.reported = intent;
    if (intent !== undefined) this.#ended(intent, report, at);
    const { realised, isRoundTrip } = first ? booking : {};
    this.#count({ kind: "report", intent, clientOrderId, report, first, realised, isRoundTrip, at });
    if (!first || !booking.late) return undefined;
    const reason = `order ${clientOrderId} filled after it had been given up: ${legsText(fill)}; the fill is booked`;
    return halted({ ...lateSubject(clientOrderId), finding: "booked", reason, wayOut: ADOPT_AND_RESUME });
  }

  #book(clientOrderId: ClientOrderId, fill: Fill): ReturnType<Accounts["book"]> {
    if (fill.clientOrderId === clientOrderId) return this.accounts.book(fill);
    const message = `fill must be of the order that is reported, ${clientOrderId}, was of ${fill.clientOrderId}`;
    return { kind: "contradiction", message };
  }

  /** Once per order, unless it was released before it filled. */
  #ended(intent: OrderIntent, report: OrderReport, at: Millis): void {
    if (report.kind === "filled") {
      this.#accountViews.remember(report.fill, intent, at);
      this.prices.filled(report.fill.symbol, priceOf(report.fill), at);
    }
    this.hiddenPrices.ended(intent, report, at);
    this.#outcomeViews.remember(intent, report, at);
  }
}

function contradiction(subject: string, reason: string): StateCommand {
  return halted({ cause: "contradiction", subject, reason, wayOut: ADOPT_AND_RESUME });
}

export function halted(halt: Halt): StateCommand {
  return { kind: "state", state: "HALTED", ...halt };
}

/** Frozen, because strategies get these same objects and the gate relies on their content. */
function bySymbol(instruments: readonly Instrument[]): ReadonlyMap<PairSymbol, Instrument> {
  return new Map(instruments.map((instrument) => [instrument.symbol, Object.freeze(instrument)]));
}
