// The engine: events in, steps out, in one synchronous and deterministic function. It folds the event into the books, asks
// the strategy, and takes each proposal through the door and the gate by itself, reserving what is approved before the
// next is looked at. No clock, no chance, no input or output; a quote that proposes nothing allocates nothing.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import type { BarEvent, Event, QuoteEvent, TimerEvent } from "../domain/event.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { Money } from "../domain/money/money.ts";
import { ok, type Result } from "../domain/result.ts";
import { type Command, isRecorded, type OrderIntent, type Proposal, type Step } from "../domain/step.ts";
import { type Millis, millis } from "../domain/time.ts";
import type { BarColumns, QuoteColumns } from "../market/column.ts";
import { type Complaint, complaintsOf } from "../market/complaint.ts";
import type { Pricing } from "../market/fair.ts";
import type { Moment } from "../market/moment.ts";
import type { PairPrices } from "../market/pair-prices.ts";
import { Rates } from "../market/rate.ts";
import type { Books, StateCommand } from "../risk/books.ts";
import type { Gate, RiskContext } from "../risk/rule.ts";
import type { Strategy } from "../strategy/prepare.ts";
import { type SavedState, saveState } from "../strategy/state.ts";
import type { Wake } from "../strategy/view.ts";
import type { KeptBack } from "./account-sight.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { SavedAccounts } from "./accounts/saved-accounts.ts";
import { valuedAdoption, valuedMovement } from "./adoption.ts";
import { isNothing } from "./answer.ts";
import { EngineSight } from "./engine-sight.ts";
import { EquityWatch } from "./equity-watch.ts";
import { Fold } from "./fold.ts";
import { type BarTerms, barAt, QuietBars } from "./quiet-bars.ts";
import { QuietPath } from "./quiet-path.ts";
import { QuietStep } from "./quiet-step.ts";
import { Review } from "./review.ts";
import { RiskSight } from "./risk-sight.ts";
import { loadInstruments, type SavedInstrument, saveInstruments } from "./saved-instruments.ts";
import { Seat } from "./seat.ts";
import { SlotWorth } from "./slot-worth.ts";

export type EngineParts = {
  readonly strategy: Strategy;
  readonly gate: Gate;
  readonly books: Books;
  readonly accounts: Accounts;
  readonly pricing: Pricing;
  readonly settings: EngineSettings;
  /** What a saved engine knew beside accounts, books and strategy; the venue's next list replaces its pairs. */
  readonly saved?: Pick<SavedEngine, "sequence" | "at" | "instruments">;
};

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
  /** More proposals of one event are not looked at. */
  readonly proposalsMax?: number;
  /** How often equity is looked at while nothing but prices moves; before an order it is always looked at. */
  readonly lookEveryMs?: number;
  /** What views leave out of an asset's free amount; nothing, unless told. */
  readonly kept?: KeptBack;
  /** Fresh views are slower and show a strategy that keeps one. */
  readonly views?: "reused" | "fresh";
};

export interface Engine {
  /** The step of a bare quote, bar or timer that led to nothing is one reused object: read it before the next event. */
  process(event: Event): Step;
  /**
   * Processes the venue's quotes of these rows as `process` would, up to the first whose step is not quiet: gives its row,
   * and `step` is its step. Without one it gives `to`. Some hundred rows a call run fastest. Each was received `lagMs`
   * before the time of its row: the clock of events may be behind that of the record.
   */
  run(quotes: QuoteColumns, from: number, to: number, lagMs?: number): number;
  /**
   * The same for bars, of each first the close as the venue's price: up to the first whose step is to be recorded, which is
   * then `step`, or that is to be processed by itself, and then `step` is a quiet one.
   */
  runBars(bars: BarColumns, from: number, to: number, terms: BarTerms): number;
  /** The last step of `run` that was not quiet; that of the last `runBars`. */
  readonly step: Step;
  /** Takes over a recorded step without deciding anything: how a journal becomes books again. */
  apply(step: Step): void;
  /** An order that somebody else than the strategy wants, through door and gate like any other; nothing comes of it while stopped. */
  wish(proposal: Proposal, at: Millis): Step;
  /** The venue's last good quote. */
  topOf(symbol: PairSymbol): Top | undefined;
  /** What fresh quotes would earn, by the strategy's own word; undefined when it does not say, or does not trade now. */
  quotesGain(now: Millis): number | undefined;
  /** The same of an order; not there when the strategy says nothing of worth. */
  readonly gainOf: ((order: OrderIntent) => number | undefined) | undefined;
  /** Why the strategy's last word on worth could not be taken. */
  readonly worthProblem: string | undefined;
  /** What is wrong with references now, for people. */
  complaints(): readonly Complaint[];
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
 * Accounts and books by their own `save`, the strategy by `saveState`. Prices and the recent fills that a view shows are
 * not kept: the one comes anew, the other from recorded steps.
 */
export type SavedEngine = {
  readonly sequence: number;
  /** Undefined before the first event. */
  readonly at: Millis | undefined;
  readonly accounts: SavedAccounts;
  readonly books: unknown;
  readonly instruments: readonly SavedInstrument[];
  readonly strategy: { readonly name: string; readonly state: SavedState };
};

export function createEngine(parts: EngineParts): Engine {
  return new SyncEngine(parts);
}

const DAY_MS = 86_400_000;

/** A mark that is due, and what the rules that look back say. */
type Look = { readonly mark: Money | undefined; readonly commands: readonly StateCommand[] };

const NO_COMMANDS: readonly never[] = Object.freeze([]);
const NOTHING_SEEN: Look = Object.freeze({ mark: undefined, commands: NO_COMMANDS });
const NO_ANSWER: Pick<Step, "decisions" | "commands"> = Object.freeze({ decisions: [], commands: [] });

// Private by type only: what `#` adds to the compiled size of `process` keeps the runtime from inlining the whole path.
class SyncEngine implements Engine {
  readonly context: RiskSight;
  private readonly gate: Gate;
  private readonly pricing: Pricing;
  private readonly moment: Moment;
  private readonly fold: Fold;
  private readonly sight: EngineSight;
  private readonly watch: EquityWatch;
  private readonly review: Review;
  private readonly quiet: QuietStep;
  private readonly isFresh: boolean;
  private readonly rates: Rates;
  private seat: Seat;
  private path: QuietPath;
  private bars: QuietBars;
  private worth: SlotWorth | undefined = undefined;
  gainOf: ((order: OrderIntent) => number | undefined) | undefined = undefined;
  private last: PairPrices | undefined = undefined;
  /** The last look found nothing, nor does the next before this time, with as many entries and equity within its bounds. */
  private steadyUntil = Number.NEGATIVE_INFINITY;
  private steadyEntries = -1;
  step: Step;

  constructor({ strategy, gate, books, accounts, pricing, settings, saved }: EngineParts) {
    const rates = new Rates(pricing, settings.currency);
    this.rates = rates;
    this.gate = gate;
    this.pricing = pricing;
    this.moment = pricing.moment;
    this.quiet = new QuietStep(pricing.moment);
    this.step = this.quiet;
    if (saved?.at !== undefined) this.moment.reach(saved.at);
    if (saved !== undefined) this.moment.sequence = saved.sequence;
    this.fold = new Fold(accounts, books, loadInstruments(saved?.instruments ?? []));
    this.context = new RiskSight(accounts, books, pricing, rates);
    this.sight = new EngineSight(this.fold, pricing, settings.kept ?? { reserveBps: 0, feeBps: 0 });
    this.watch = new EquityWatch(accounts, pricing, rates, settings.lookEveryMs ?? 10_000);
    this.review = new Review(
      { gate, fold: this.fold, context: this.context, pricing },
      { proposalsMax: settings.proposalsMax ?? 16, lifetimeMsMax: settings.lifetimeMsMax },
    );
    this.isFresh = settings.views === "fresh";
    this.seat = new Seat(strategy, this.sight, this.isFresh);
    this.path = new QuietPath(this.seat, this.moment, this.watch);
    this.bars = new QuietBars(this.seat, this.moment, this.watch);
    this.value(strategy);
    this.listen();
  }

  get now(): Millis {
    return millis(this.moment.now);
  }

  get sequence(): number {
    return this.moment.sequence;
  }

  get instruments(): ReadonlyMap<PairSymbol, Instrument> {
    return this.fold.instruments;
  }

  get strategy(): Strategy {
    return this.seat.strategy;
  }

  replaceStrategy(strategy: Strategy): void {
    this.seat = new Seat(strategy, this.sight, this.isFresh);
    this.path = new QuietPath(this.seat, this.moment, this.watch);
    this.bars = new QuietBars(this.seat, this.moment, this.watch);
    this.value(strategy);
    this.listen();
  }

  quotesGain(now: Millis): number | undefined {
    return this.isStopped() ? undefined : this.worth?.quotes(now);
  }

  get worthProblem(): string | undefined {
    return this.worth?.problem;
  }

  process(event: Event): Step {
    // Only the kind is read here: events have many shapes, and reading a time through all of them would make an object of it.
    return event.kind === "quote" ? this.quote(event) : this.rare(event);
  }

  wish(proposal: Proposal, at: Millis): Step {
    this.moment.next(at);
    return this.concluded({ kind: "timer", receivedAt: at }, this.look(), this.isStopped() ? undefined : proposal);
  }

  topOf(symbol: PairSymbol): Top | undefined {
    const venue = this.pricing.pairs.get(symbol)?.venue;
    if (venue?.seen !== "good") return undefined;
    const { bid, ask, bidSize, askSize, since } = venue;
    const known = (size: number) => (Number.isNaN(size) ? undefined : size);
    return { bid, ask, bidSize: known(bidSize), askSize: known(askSize), ageMs: this.moment.now - since };
  }

  complaints(): readonly Complaint[] {
    return complaintsOf(this.pricing);
  }

  run(quotes: QuoteColumns, from: number, to: number, lagMs = 0): number {
    const { path } = this;
    path.lagMs = lagMs;
    const prices = this.pricesOf(quotes.symbol);
    for (let row = from; row < to; row++) {
      row = path.rows(prices, quotes, row, to);
      if (row === to) return to;
      const event = quoteAt(quotes, row, lagMs);
      const step = path.answer === undefined ? this.looked(event, path.isLookDue) : this.answered(event);
      if (step === this.quiet) continue;
      this.step = step;
      return row;
    }
    return to;
  }

  runBars(bars: BarColumns, from: number, to: number, terms: BarTerms): number {
    const { bars: path, quiet } = this;
    const prices = this.pricesOf(bars.symbol);
    this.step = quiet;
    for (let row = from; row < to; row++) {
      row = path.rows(prices, bars, row, to, terms);
      if (row === to || path.answer === undefined) return row;
      const answer = this.seat.checked(path.answer);
      const step = this.concluded(barAt(bars, row, terms.lagMs), NOTHING_SEEN, answer);
      if (!isRecorded(step)) continue;
      this.step = step;
      return row;
    }
    return to;
  }

  private quote(event: QuoteEvent): Step {
    const { path, quiet } = this;
    const prices = event.symbol === this.last?.symbol ? this.last : this.pricesOf(event.symbol);
    if (!path.event(prices, event)) return this.looked(event, false);
    if (path.answer !== undefined) return this.answered(event);
    // A reused event is there already, and storing it again is not free.
    if (quiet.event !== event) quiet.event = event;
    return quiet;
  }

  private answered(event: QuoteEvent): Step {
    return this.concluded(event, NOTHING_SEEN, this.seat.checked(this.path.answer));
  }

  apply(step: Step): void {
    this.moment.next(step.at);
    this.moment.sequence = step.sequence;
    this.fold.step(step);
    this.listen();
  }

  save(): Result<SavedEngine> {
    const state = saveState(this.strategy.state);
    if (!state.ok) return state;
    return ok({
      sequence: this.sequence,
      at: Number.isFinite(this.now) ? this.now : undefined,
      accounts: this.fold.accounts.save(),
      books: this.fold.books.save(),
      instruments: saveInstruments(this.fold.instruments.values()),
      strategy: { name: this.strategy.name, state: state.value },
    });
  }

  private rare(event: Exclude<Event, QuoteEvent>): Step {
    this.moment.next(event.receivedAt);
    if (event.kind === "timer") return this.timer(event);
    return event.kind === "bar" ? this.bar(event) : this.other(event);
  }

  private timer(event: TimerEvent): Step {
    return this.concluded(event, this.look(), this.ask("timer", undefined, undefined));
  }

  private looked(event: QuoteEvent, isLookDue: boolean): Step {
    this.moment.next(event.receivedAt);
    const prices = this.pricesOf(event.symbol);
    const isGood = prices.observe(event);
    const look = isLookDue ? this.look() : this.glance();
    const wake = event.source === "venue" ? "quote" : "reference";
    return this.concluded(event, look, isGood ? this.ask(wake, prices, undefined) : undefined);
  }

  private bar(event: BarEvent): Step {
    const prices = this.pricesOf(event.symbol);
    const look = this.glance();
    // One of them not finite makes the sum so.
    const sum = event.open + event.high + event.low + event.close;
    const answer = sum - sum === 0 ? this.ask("bar", prices, this.isFresh ? { ...event } : event) : undefined;
    return this.concluded(event, look, answer);
  }

  /** Balances, reports, control. */
  private other(given: Exclude<Event, QuoteEvent | BarEvent | TimerEvent>): Step {
    const event = this.valued(given);
    const problem = this.fold.event(event, this.now);
    const commands = problem === undefined ? NO_COMMANDS : this.accepted([problem]);
    const look = this.look();
    const wake = wakeOf(event);
    const filled = event.kind === "report" && event.report.kind === "filled" ? event.report.fill.symbol : undefined;
    const prices = filled && this.pricing.pairs.get(filled);
    const answer = wake === undefined ? undefined : this.ask(wake, prices, undefined);
    const seen = commands.length === 0 ? look : { mark: look.mark, commands: [...commands, ...look.commands] };
    return this.concluded(event, seen, answer);
  }

  private valued(event: Exclude<Event, QuoteEvent | BarEvent | TimerEvent>): typeof event {
    const { pricing, accounts } = this.context;
    if (event.kind === "adoption") return valuedAdoption(event, pricing);
    if (event.kind !== "movement") return event;
    return valuedMovement(event, accounts.movements.flight(event.id), pricing);
  }

  private ask(wake: Wake, prices: PairPrices | undefined, bar: BarEvent | undefined): unknown {
    return this.strategy.wakes.has(wake) && !this.isStopped() ? this.seat.ask(wake, prices, bar) : undefined;
  }

  private concluded(event: Event, look: Look, answer: unknown): Step {
    const isBare = event.kind === "quote" || event.kind === "bar" || event.kind === "timer";
    const isQuiet = answer === undefined || isNothing(answer);
    if (isQuiet && isBare && look === NOTHING_SEEN) {
      this.quiet.event = event;
      return this.quiet;
    }
    // A quote or a bar may be its producer's reused object.
    const kept = isBare ? { ...event } : event;
    const before = isQuiet ? NOTHING_SEEN : this.lookBeforeOrders();
    const { decisions, commands } = isQuiet ? NO_ANSWER : this.review.answer(answer, this.strategy.name);
    this.listen();
    return {
      sequence: this.sequence,
      at: this.now,
      event: kept,
      decisions,
      commands: joined(look.commands, before.commands, commands),
      mark: look.mark ?? before.mark,
    };
  }

  private glance(): Look {
    return this.moment.now >= this.watch.dueAt && this.watch.isWorthALook() ? this.look() : NOTHING_SEEN;
  }

  private lookBeforeOrders(): Look {
    const { day, peak } = this.context.books;
    // Without a base nothing is approved, and the last look may have come before the last price that it needed.
    if (day.opening === undefined || peak === undefined) return this.look();
    const commands = this.accepted(this.gate.monitor(this.context));
    return commands.length === 0 ? NOTHING_SEEN : { mark: undefined, commands };
  }

  private look(): Look {
    if (this.isSteady()) return NOTHING_SEEN;
    const equity = this.isUnmarked() ? undefined : this.context.equity();
    const mark = equity !== undefined && this.context.books.needsMark(equity, this.now) ? equity : undefined;
    if (mark !== undefined) this.fold.mark(mark, this.now);
    const found = this.gate.monitor(this.context);
    const commands = this.accepted(found);
    if (mark === undefined && found.length === 0 && !this.isFresh) this.steady();
    return mark === undefined && commands.length === 0 ? NOTHING_SEEN : { mark, commands };
  }

  /** Equity neither opens a day nor sets a peak, as floats can tell: its digits are not needed. */
  private isUnmarked(): boolean {
    const { day, peak } = this.context.books;
    if (this.isFresh || peak === undefined || day.opening === undefined) return false;
    return day.number === Math.floor(this.moment.now / DAY_MS) && this.watch.isBelow(peak);
  }

  /** A look would find what the last one found: nothing. */
  private isSteady(): boolean {
    const { moment, fold, watch } = this;
    return moment.now < this.steadyUntil && fold.entries === this.steadyEntries && watch.isBound();
  }

  /** The books were looked at and nothing found: until they change, only time and equity can have something to find. */
  private steady(): void {
    const { moment, fold, gate, watch } = this;
    const { books } = this.context;
    watch.bound(gate.steadyAbove(books), books.day.opening && books.peak);
    // A day is opened by the first look in it.
    const dayEnd = (Math.floor(moment.now / DAY_MS) + 1) * DAY_MS;
    this.steadyUntil = Math.min(dayEnd, gate.steadyUntil(books));
    this.steadyEntries = fold.entries;
  }

  /** A state only ever gets stricter here, or has one more reason: what changes nothing is no command. */
  private accepted(commands: readonly StateCommand[]): readonly StateCommand[] {
    if (commands.length === 0) return NO_COMMANDS;
    return commands.filter((command) => {
      const before = this.context.books.standing;
      this.fold.command(command, this.now);
      return this.context.books.standing !== before;
    });
  }

  private pricesOf(symbol: PairSymbol): PairPrices {
    if (symbol !== this.last?.symbol) this.last = this.pricing.pair(symbol);
    return this.last;
  }

  private value(strategy: Strategy): void {
    const says = strategy.definition.worth !== undefined;
    const worth = says ? new SlotWorth(strategy, this.sight, this.rates, this.isFresh) : undefined;
    this.worth = worth;
    this.gainOf = worth && ((order) => worth.order(order));
  }

  private isStopped(): boolean {
    const { state } = this.context.books;
    return state === "HALTED" || state === "KILLED";
  }

  /** Again after whatever may have changed the state. */
  private listen(): void {
    const isOpen = !this.isFresh && !this.isStopped();
    const { wakes } = this.strategy;
    this.path.isOpen = isOpen && wakes.has("quote");
    this.bars.isOpen = isOpen && wakes.has("bar") && !wakes.has("quote");
  }
}

/** Most often the last of them is all that there is. */
function joined(seen: readonly Command[], before: readonly Command[], answer: readonly Command[]): readonly Command[] {
  return seen.length + before.length === 0 ? answer : [...seen, ...before, ...answer];
}

function quoteAt(quotes: QuoteColumns, row: number, lagMs: number): QuoteEvent {
  const { symbol, time, bid, ask, bidSize, askSize } = quotes;
  const known = (size: number | undefined) => (size === undefined || Number.isNaN(size) ? undefined : size);
  return {
    kind: "quote",
    symbol,
    bid: bid[row] as number,
    ask: ask[row] as number,
    bidSize: known(bidSize[row]),
    askSize: known(askSize[row]),
    source: "venue",
    at: undefined,
    receivedAt: millis((time[row] as number) - lagMs),
  };
}

function wakeOf({ kind }: Exclude<Event, TimerEvent>): Wake | undefined {
  switch (kind) {
    case "balances":
    case "adoption":
    case "movement":
      return "balances";
    case "report":
      return kind;
    default:
      return undefined;
  }
}
