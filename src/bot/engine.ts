// The engine: events in, steps out, in one synchronous and deterministic function. It folds the event into the books, asks
// the strategy, and takes each proposal through the door and the gate by itself, reserving what is approved before the
// next is looked at. No clock, no chance, no input or output; a quote that proposes nothing allocates nothing.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import type { BarEvent, Event, QuoteEvent } from "../domain/event.ts";
import type { Money } from "../domain/money/money.ts";
import type { Step } from "../domain/step.ts";
import { type Millis, millis } from "../domain/time.ts";
import type { Pricing } from "../market/fair.ts";
import type { PairPrices } from "../market/pair-prices.ts";
import { Rates } from "../market/rate.ts";
import type { Books, StateCommand } from "../risk/books.ts";
import type { Gate, RiskContext } from "../risk/rule.ts";
import { isStricter } from "../risk/standing.ts";
import type { Strategy } from "../strategy/prepare.ts";
import type { Wake } from "../strategy/view.ts";
import type { Accounts } from "./accounts/accounts.ts";
import { isNothing } from "./answer.ts";
import { EngineSight } from "./engine-sight.ts";
import { EquityWatch } from "./equity-watch.ts";
import { Fold } from "./fold.ts";
import { Moment } from "./moment.ts";
import { QuietStep } from "./quiet-step.ts";
import { Review } from "./review.ts";
import { RiskSight } from "./risk-sight.ts";
import { Seat } from "./seat.ts";

export type EngineParts = {
  readonly strategy: Strategy;
  readonly gate: Gate;
  readonly books: Books;
  readonly accounts: Accounts;
  readonly pricing: Pricing;
  readonly settings: EngineSettings;
};

export type EngineSettings = {
  /** The asset in which limits are counted. */
  readonly currency: Asset;
  /** How long a decision is good for at most. */
  readonly lifetimeMsMax: number;
  /** More proposals of one event are not looked at. */
  readonly proposalsMax?: number;
  /** How often equity is looked at between trades. */
  readonly markEveryMs?: number;
  /** Fresh views are slower and show a strategy that keeps one. */
  readonly views?: "reused" | "fresh";
};

export interface Engine {
  /** The step of a bare quote, bar or timer that led to nothing is one reused object: read it before the next event. */
  process(event: Event): Step;
  /** Takes over a recorded step without deciding anything: how a journal becomes books again. */
  apply(step: Step): void;
  /** Between two events: the new one decides from the next event on. */
  replaceStrategy(strategy: Strategy): void;
  readonly strategy: Strategy;
  readonly sequence: number;
  /** The time of the newest event; it never goes back. */
  readonly now: Millis;
  /** What rules see: for the check when a slot opens, and for people. */
  readonly context: RiskContext;
}

export function createEngine(parts: EngineParts): Engine {
  return new SyncEngine(parts);
}

/** A mark that is due, and what the rules that look back say. */
type Look = { readonly mark: Money | undefined; readonly commands: readonly StateCommand[] };

const NOTHING_SEEN: Look = Object.freeze({ mark: undefined, commands: Object.freeze([]) });

class SyncEngine implements Engine {
  readonly context: RiskSight;
  readonly #gate: Gate;
  readonly #pricing: Pricing;
  readonly #rates: Rates;
  readonly #fold: Fold;
  readonly #moment = new Moment();
  readonly #sight: EngineSight;
  readonly #watch: EquityWatch;
  readonly #review: Review;
  readonly #quiet = new QuietStep();
  readonly #isFresh: boolean;
  #seat: Seat;
  #wakesQuote = false;
  #wakesReference = false;
  #last: PairPrices | undefined = undefined;
  #sequence = 0;

  constructor({ strategy, gate, books, accounts, pricing, settings }: EngineParts) {
    const rates = new Rates(pricing, settings.currency);
    this.#gate = gate;
    this.#pricing = pricing;
    this.#rates = rates;
    this.#fold = new Fold(accounts, books);
    this.context = new RiskSight(accounts, books, pricing, rates, this.#moment);
    this.#sight = new EngineSight(this.#fold, pricing, this.#moment);
    this.#watch = new EquityWatch(accounts, rates, settings.markEveryMs ?? 1_000);
    this.#review = new Review(
      { gate, fold: this.#fold, context: this.context, pricing },
      { proposalsMax: settings.proposalsMax ?? 16, lifetimeMsMax: settings.lifetimeMsMax },
    );
    this.#isFresh = settings.views === "fresh";
    this.#seat = new Seat(strategy, this.#sight, this.#isFresh);
    this.#wakes();
  }

  get now(): Millis {
    return millis(this.#moment.now);
  }

  get sequence(): number {
    return this.#sequence;
  }

  get strategy(): Strategy {
    return this.#seat.strategy;
  }

  replaceStrategy(strategy: Strategy): void {
    this.#seat = new Seat(strategy, this.#sight, this.#isFresh);
    this.#wakes();
  }

  process(event: Event): Step {
    this.#sequence++;
    this.#moment.advance(event.receivedAt);
    if (event.kind === "quote") return this.#quote(event);
    return event.kind === "bar" ? this.#bar(event) : this.#other(event);
  }

  apply(step: Step): void {
    this.#moment.advance(step.at);
    this.#fold.step(step);
    this.#sequence = step.sequence;
  }

  #quote(event: QuoteEvent): Step {
    const prices = event.symbol === this.#last?.symbol ? this.#last : this.#pricesOf(event.symbol);
    const isGood = prices.observe(event);
    this.#rates.version++;
    const isVenue = event.source === "venue";
    const look = this.#glance();
    const isWoken = isGood && (isVenue ? this.#wakesQuote : this.#wakesReference);
    const answer = isWoken ? this.#ask(isVenue ? "quote" : "reference", prices, undefined) : undefined;
    return this.#concluded(event, look, answer);
  }

  #bar(event: BarEvent): Step {
    const prices = event.symbol === this.#last?.symbol ? this.#last : this.#pricesOf(event.symbol);
    const look = this.#glance();
    // One of them not finite makes the sum so.
    const sum = event.open + event.high + event.low + event.close;
    const isWoken = sum - sum === 0 && this.strategy.wakes.has("bar");
    return this.#concluded(event, look, isWoken ? this.#ask("bar", prices, event) : undefined);
  }

  /** Everything that is rare: balances, reports, control, time. */
  #other(event: Exclude<Event, QuoteEvent | BarEvent>): Step {
    const problem = this.#fold.event(event, this.now);
    const commands = problem === undefined ? [] : this.#accepted([problem]);
    const look = this.#look();
    const wake = wakeOf(event);
    const prices = event.kind === "report" ? this.#reported(event.report) : undefined;
    const answer = wake !== undefined && this.strategy.wakes.has(wake) ? this.#ask(wake, prices, undefined) : undefined;
    return this.#concluded(event, { mark: look.mark, commands: [...commands, ...look.commands] }, answer);
  }

  #ask(wake: Wake, prices: PairPrices | undefined, bar: BarEvent | undefined): unknown {
    const { state } = this.context.books;
    if (state !== "ACTIVE" && state !== "REDUCED") return undefined;
    if (!this.#isFresh) return this.#seat.ask(wake, this.#moment.now, prices, bar);
    const seat = new Seat(this.#seat.strategy, this.#sight, true);
    return seat.ask(wake, this.#moment.now, prices, bar && { ...bar });
  }

  #concluded(event: Event, look: Look, answer: unknown): Step {
    const isBare = event.kind === "quote" || event.kind === "bar" || event.kind === "timer";
    const isQuiet = answer === undefined || isNothing(answer);
    if (isQuiet && isBare && look === NOTHING_SEEN) return this.#quiet.of(this.#sequence, this.#moment.now, event);
    // A quote or a bar may be its producer's reused object.
    const kept = isBare ? { ...event } : event;
    const step = { sequence: this.#sequence, at: this.now, event: kept, mark: look.mark };
    if (isQuiet) return { ...step, decisions: [], commands: look.commands };
    const before = this.#accepted(this.#gate.monitor(this.context));
    const { decisions, commands } = this.#review.answer(answer, this.#seat.strategy.name);
    return { ...step, decisions, commands: [...look.commands, ...before, ...commands] };
  }

  /** Between trades, on floats: mostly one comparison. */
  #glance(): Look {
    const { now } = this.#moment;
    return this.#watch.isDue(now) && this.#watch.isWorthALook(now) ? this.#look() : NOTHING_SEEN;
  }

  #look(): Look {
    const equity = this.context.equity();
    const mark = equity !== undefined && this.context.books.needsMark(equity, this.now) ? equity : undefined;
    if (mark !== undefined) this.#fold.mark(mark, this.now);
    const commands = this.#accepted(this.#gate.monitor(this.context));
    return mark === undefined && commands.length === 0 ? NOTHING_SEEN : { mark, commands };
  }

  /** A state only ever gets stricter here: what changes nothing is no command. */
  #accepted(commands: readonly StateCommand[]): StateCommand[] {
    return commands.filter((command) => {
      const isNews = isStricter(command.state, this.context.books.state);
      if (isNews) this.#fold.command(command, this.now);
      return isNews;
    });
  }

  #pricesOf(symbol: PairSymbol): PairPrices {
    this.#last = this.#pricing.pair(symbol);
    return this.#last;
  }

  #reported(report: {
    readonly kind: string;
    readonly fill?: { readonly symbol: PairSymbol };
  }): PairPrices | undefined {
    return report.fill && this.#pricing.pairs.get(report.fill.symbol);
  }

  #wakes(): void {
    this.#wakesQuote = this.strategy.wakes.has("quote");
    this.#wakesReference = this.strategy.wakes.has("reference");
  }
}

function wakeOf({ kind }: Event): Wake | undefined {
  switch (kind) {
    case "balances":
    case "adoption":
      return "balances";
    case "report":
    case "timer":
      return kind;
    default:
      return undefined;
  }
}
