// The engine. It folds an event into the books, asks the strategy, and takes each proposal through validation and the
// gate in turn, reserving an approved one before it checks the next.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type {
  AdoptionEvent,
  BarEvent,
  CoinCost,
  Event,
  QuoteEvent,
  ReportEvent,
  TimerEvent,
} from "../../domain/event.ts";
import type { NoFair } from "../../domain/fair.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { ok, type Result } from "../../domain/result.ts";
import type { Command, Proposal, Refusal, Step } from "../../domain/step.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { type Complaint, complaintsOf } from "../../market/complaint.ts";
import type { Moment } from "../../market/moment.ts";
import type { Pricing } from "../../market/pricing.ts";
import { Rates } from "../../market/rate.ts";
import type { StateCommand } from "../../risk/counters.ts";
import type { Preview } from "../../risk/rule.ts";
import { whyNeverWoken } from "../../strategy/never-woken.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import { saveState } from "../../strategy/state.ts";
import type { HiddenView, Wake } from "../../strategy/view.ts";
import { type Statement, statementOf } from "../accounts/statement.ts";
import { isNothing } from "../strategy-host/answer.ts";
import { reportView } from "../strategy-host/outcome-view.ts";
import { StrategyHost } from "../strategy-host/strategy-host.ts";
import type { Call } from "../strategy-host/view.ts";
import { valuedAdoption, valuedMovement } from "./adoption.ts";
import type { Engine, EngineParts, Said, SavedEngine, Top } from "./engine.ts";
import { EngineSnapshot } from "./engine-snapshot.ts";
import { Fold } from "./fold.ts";
import { Review } from "./review.ts";
import { type Look, NOTHING_SEEN, RiskMonitor } from "./risk-monitor.ts";
import { RiskSight } from "./risk-snapshot.ts";

type Bare = QuoteEvent | BarEvent | TimerEvent;
/** Balances, controls, and the progress of mints and rails. */
type Told = Exclude<Event, Bare | ReportEvent>;
/** The event kinds that wake the strategy. */
type Wakes = Readonly<Record<Wake, boolean>>;

const NO_ANSWER: Pick<Step, "decisions" | "commands"> = Object.freeze({ decisions: [], commands: [] });

export function createEngine(parts: EngineParts): Engine {
  return new SyncEngine(parts);
}

class SyncEngine implements Engine {
  readonly context: RiskSight;
  private readonly pricing: Pricing;
  private readonly moment: Moment;
  private readonly fold: Fold;
  private readonly sight: EngineSnapshot;
  private readonly riskMonitor: RiskMonitor;
  private readonly review: Review;
  private readonly openingCosts: readonly CoinCost[];
  private host: StrategyHost;
  private wakes: Wakes;

  constructor({ strategy, gate, counters, accounts, pricing, settings, saved }: EngineParts) {
    this.openingCosts = settings.openingCosts ?? [];
    const rates = new Rates(pricing, settings.currency);
    this.pricing = pricing;
    this.moment = pricing.moment;
    if (saved?.at !== undefined) this.moment.reach(saved.at);
    if (saved !== undefined) this.moment.sequence = saved.sequence;
    this.fold = new Fold(accounts, counters, saved?.instruments);
    this.context = new RiskSight({ accounts, counters, pricing, rates });
    this.sight = new EngineSnapshot(this.fold, pricing, settings.kept ?? { reserveBps: 0, feeBps: 0 }, saved);
    this.review = new Review(
      { gate, fold: this.fold, context: this.context, pricing },
      settings.lifetimeMsMax,
      settings.fillsAt,
    );
    this.sight.refusalOf = (proposal) => this.review.refusalOf(proposal);
    const { fold, context, moment } = this;
    const { lookEveryMs: everyMs = 10_000 } = settings;
    this.riskMonitor = new RiskMonitor({ gate, fold, context, moment, pricing, everyMs });
    this.host = new StrategyHost(strategy, this.sight);
    this.wakes = NO_WAKES;
    for (const [symbol, { price, at }] of saved?.ownFills ?? []) pricing.filled(symbol, price, at);
    this.hosted(strategy);
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
    return this.host.strategy;
  }

  get said(): Said | undefined {
    return this.sight.said;
  }

  replaceStrategy(strategy: Strategy): void {
    this.sight.forget();
    this.host = new StrategyHost(strategy, this.sight);
    this.hosted(strategy);
  }

  hideQuotes(): void {
    this.pricing.hideQuotes();
    this.listPairs();
    this.hosted(this.strategy);
  }

  /** Without quotes nothing else makes a pair known. */
  private listPairs(): void {
    if (this.pricing.isBlind) for (const symbol of this.fold.instruments.keys()) this.pricing.pair(symbol);
  }

  process(event: Event): Step {
    switch (event.kind) {
      case "quote":
        return this.quote(event);
      case "timer":
        return this.timer(event);
      case "report":
        this.moment.next(event.receivedAt);
        return this.report(event);
      case "bar":
        this.moment.next(event.receivedAt);
        return this.bar(event);
      default:
        this.moment.next(event.receivedAt);
        return this.other(event);
    }
  }

  wish(proposal: Proposal, at: Millis): Step {
    this.moment.next(at);
    const look = this.riskMonitor.look();
    return this.concluded({ kind: "timer", receivedAt: at }, look, this.isStopped() ? undefined : proposal);
  }

  preview(proposal: Proposal): Preview {
    return this.review.preview(proposal);
  }

  unjudged(proposal: Proposal): Refusal | undefined {
    return this.review.unjudged(proposal);
  }

  isValued(asset: Asset, at: Millis): boolean {
    this.moment.reach(at);
    const { currency } = this.context.pricing;
    return asset === currency || this.context.pricing.rate(asset) !== undefined;
  }

  topOf(symbol: PairSymbol): Top | undefined {
    const venue = this.pricing.pairs.get(symbol)?.venue;
    if (venue?.seen !== "good") return undefined;
    const { bid, ask, bidSize, askSize, since } = venue;
    return { bid, ask, bidSize, askSize, ageMs: this.moment.now - since };
  }

  hiddenOf(symbol: PairSymbol): HiddenView | undefined {
    const hidden = this.pricing.isBlind ? this.sight.hidden(symbol, this.moment.now) : undefined;
    return hidden?.ask.ageMs === undefined ? undefined : hidden;
  }

  doubtOf(source: string, symbol: PairSymbol): NoFair | undefined {
    const prices = this.pricing.pairs.get(symbol);
    return prices === undefined ? "missing" : this.pricing.doubtOf(prices, source);
  }

  complaints(): readonly Complaint[] {
    return complaintsOf(this.pricing);
  }

  closedUntil(): number | undefined {
    return this.pricing.closedUntil();
  }

  apply(step: Step): void {
    const { moment } = this;
    moment.reach(step.at);
    // Another process may have counted fewer events. The count never goes back, or values cached for one event would be
    // used for a later one.
    moment.sequence = Math.max(moment.sequence, step.sequence);
    this.fold.step(step);
  }

  save(): Result<SavedEngine> {
    const state = saveState(this.strategy.state);
    if (!state.ok) return state;
    return ok({
      sequence: this.sequence,
      at: Number.isFinite(this.now) ? this.now : undefined,
      accounts: this.fold.accounts.save(),
      counters: this.fold.counters.save(),
      instruments: [...this.fold.instruments.values()],
      fills: this.sight.fills,
      ownFills: [...this.pricing.ownFills],
      hiddenPrices: this.sight.hiddenPrices.save(),
      strategy: { name: this.strategy.name, state: state.value },
    });
  }

  private report(event: ReportEvent): Step {
    const problem = this.fold.report(event, this.context.now);
    const look = problem === undefined ? this.riskMonitor.look() : this.contradicted(problem);
    return this.stepOf(event, look, this.wakes.report ? this.reported(event) : undefined);
  }

  private timer(event: TimerEvent): Step {
    this.moment.reach(event.receivedAt);
    const look = this.riskMonitor.look();
    const answer = this.wakes.timer ? this.ask({ wake: "timer" }) : undefined;
    // A timer without an effect is not counted as an event, so that callers may skip it.
    if (!isQuiet(look, answer)) this.moment.sequence++;
    return this.concluded(event, look, answer);
  }

  private quote(event: QuoteEvent): Step {
    this.moment.next(event.receivedAt);
    const prices = this.pricing.pair(event.symbol);
    const isGood = prices.observe(event);
    const look = this.riskMonitor.glance();
    const wake = event.source === "venue" ? "quote" : "reference";
    if (wake === "quote" && this.pricing.isBlind) {
      this.pricing.showQuotes();
      this.sight.forget();
      this.hosted(this.strategy);
    }
    return this.concluded(event, look, isGood && this.wakes[wake] ? this.ask({ wake, prices }) : undefined);
  }

  private bar(event: BarEvent): Step {
    const prices = this.pricing.pair(event.symbol);
    const look = this.riskMonitor.glance();
    const { symbol, open, high, low, close, volume } = event;
    // Not finite if one of them is not.
    const sum = open + high + low + close;
    const isWanted = this.wakes.bar && sum - sum === 0;
    const bar = Object.freeze({ symbol, open, high, low, close, volume });
    return this.concluded(event, look, isWanted ? this.ask({ wake: "bar", prices, bar }) : undefined);
  }

  private other(given: Told): Step {
    const { kind } = given;
    const event = kind === "adoption" || kind === "movement" ? this.valued(given) : given;
    const problem = this.fold.event(event, this.context.now);
    const look = problem === undefined ? this.riskMonitor.look() : this.contradicted(problem);
    if (kind === "instruments") this.listPairs();
    const wake = kind === "instruments" ? "pairs" : kind === "control" ? undefined : "balances";
    const isAsked = wake !== undefined && this.wakes[wake];
    return this.stepOf(event, look, isAsked ? this.ask({ wake }) : undefined);
  }

  private valued(event: Told): Told {
    const { pricing, accounts } = this.context;
    if (event.kind === "adoption") return valuedAdoption({ ...event, ...this.costsOf(event) }, pricing);
    if (event.kind !== "movement") return event;
    return valuedMovement(event, accounts.movements.flight(event.id), pricing);
  }

  /** Only for the opening; later money has no stated cost. */
  private costsOf({ amounts }: AdoptionEvent): Pick<AdoptionEvent, "costs"> {
    if (this.fold.accounts.ledger.size > 0) return {};
    const costs = this.openingCosts.filter(({ asset }) => amounts.some((one) => one.asset === asset));
    return costs.length === 0 ? {} : { costs };
  }

  /** A contradiction with the books halts the bot before any rule is checked. */
  private contradicted(problem: StateCommand): Look {
    const commands = this.riskMonitor.accepted([problem]);
    const look = this.riskMonitor.look();
    return { ...look, commands: [...commands, ...look.commands] };
  }

  private reported({ report }: ReportEvent): unknown {
    const prices = report.kind === "filled" ? this.pricing.pairs.get(report.fill.symbol) : undefined;
    const { reported: intent } = this.fold;
    return this.ask({ wake: "report", prices, report: intent && reportView(report, intent, this.context.now) });
  }

  private ask(call: Call): unknown {
    return this.isStopped() ? undefined : this.host.ask(call);
  }

  private concluded(event: Bare, look: Look, answer: unknown): Step {
    if (!isQuiet(look, answer)) return this.stepOf(event, look, answer);
    return { ...NO_ANSWER, sequence: this.moment.sequence, at: this.context.now, event, mark: undefined };
  }

  private stepOf(event: Event, look: Look, answer: unknown): Step {
    const isQuiet = answer === undefined || isNothing(answer);
    const before = isQuiet ? NOTHING_SEEN : this.riskMonitor.beforeOrders();
    const { decisions, commands } = isQuiet ? NO_ANSWER : this.review.answer(answer, this.strategy.name);
    const ownAtPar = look.ownAtPar ?? before.ownAtPar;
    const mids = look.mids ?? before.mids;
    return {
      sequence: this.moment.sequence,
      at: this.context.now,
      event,
      decisions,
      commands: joined(look.commands, before.commands, commands),
      mark: look.mark ?? before.mark,
      ...(ownAtPar === undefined ? {} : { ownAtPar }),
      ...(mids === undefined ? {} : { mids }),
    };
  }

  private hosted(strategy: Strategy): void {
    const { isBlind } = this.pricing;
    this.host.isBlind = isBlind && strategy.definition.blind !== undefined;
    this.wakes = this.host.isBlind ? BLIND_WAKES : wakesOf(strategy);
    const idle = isBlind && strategy.wakes.has("quote") ? whyNeverWoken(strategy, UNQUOTED) : undefined;
    if (idle !== undefined) this.sight.note(idle);
  }

  statement(): Statement {
    const { counters, pricing } = this.context;
    return statementOf(this.fold.accounts, counters.shown.totals, pricing, pricing.equity());
  }

  isStopped(): boolean {
    const { state } = this.context.counters;
    return state === "HALTED";
  }
}

function isQuiet(look: Look, answer: unknown): boolean {
  return look === NOTHING_SEEN && (answer === undefined || isNothing(answer));
}

/** Usually only the last is non-empty. */
function joined(seen: readonly Command[], before: readonly Command[], answer: readonly Command[]): readonly Command[] {
  return seen.length + before.length === 0 ? answer : [...seen, ...before, ...answer];
}

const UNQUOTED = { quotes: false, bars: true, references: true, plans: true };
const NO_WAKES = wakesOf({ wakes: new Set() });
const BLIND_WAKES = wakesOf({ wakes: new Set<Wake>(["reference", "balances", "pairs", "timer"]) });

function wakesOf({ wakes }: Pick<Strategy, "wakes">): Wakes {
  return {
    quote: wakes.has("quote"),
    reference: wakes.has("reference"),
    bar: wakes.has("bar"),
    balances: wakes.has("balances"),
    pairs: wakes.has("pairs"),
    report: wakes.has("report"),
    timer: wakes.has("timer"),
  };
}
