// The trading core, the only place where engine and executor meet. One input comes in; one turn with its records and
// effects goes out.

import type { Event } from "../../domain/event.ts";
import { invariant, unreachable } from "../../domain/invariant.ts";
import type { Money } from "../../domain/money/money.ts";
import { stakeIn, stakeOf } from "../../domain/notional.ts";
import { type Decision, isRecorded, type Step } from "../../domain/step.ts";
import { DAY_MS, millis } from "../../domain/time.ts";
import { movementFrozenBy } from "../../execution/effects.ts";
import type { Executor } from "../../execution/executor.ts";
import type { Moment } from "../../execution/request.ts";
import type { ControlRecord, Entry, FreshStart } from "../../journal/record.ts";
import type { Approved } from "../../risk/gate.ts";
import type { Gate } from "../../risk/rule.ts";
import { isOrder, type MovementGate, type MovementVerdict, type MovementWish } from "../../risk/treasury-gate.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { Hands } from "../../treasury/rebalancer/parts.ts";
import type { Rebalancer } from "../../treasury/rebalancer/rebalancer.ts";
import type { Engine } from "../engine/engine.ts";
import type { Continuation } from "../strategy-host/strategy-state.ts";
import { AskedOperations } from "./asked-operations.ts";
import { type AskedOperation, type Input, TIME } from "./input.ts";
import { personNote } from "./person-notes.ts";
import { StrategyLifecycle } from "./strategy-lifecycle.ts";
import type { Core, SavedTradingCore, TradingCore, TradingCoreSettings } from "./trading-core.ts";
import { Draft, QUIET, type Turn } from "./turn.ts";

export function createTradingCore(core: Core, settings: TradingCoreSettings): TradingCore {
  return new SyncTradingCore(core, settings);
}

class SyncTradingCore implements TradingCore {
  readonly engine: Engine;
  readonly executor: Executor;
  readonly gate: Gate<Approved>;
  readonly movements: MovementGate;
  readonly rebalancer: Rebalancer | undefined;
  private readonly lifecycle: StrategyLifecycle;
  readonly asked = new AskedOperations();
  folded = 0;
  isTorn = false;
  private draft = new Draft();

  constructor({ engine, executor, gate, movements, rebalancer }: Core, { safePointMs }: TradingCoreSettings) {
    this.engine = engine;
    this.executor = executor;
    this.gate = gate;
    this.movements = movements;
    this.rebalancer = rebalancer;
    this.lifecycle = new StrategyLifecycle(engine, safePointMs);
  }

  fold(entry: Entry): void {
    if (entry.sequence <= this.folded) return;
    this.requireWhole();
    this.isTorn = true;
    const { record } = entry;
    if (record.kind === "step") this.engine.books.replay(record.step);
    else if (record.kind === "control") this.engine.books.replay(stepOf(record, this.engine.books));
    this.executor.fold(entry);
    this.keep(entry);
    this.folded = entry.sequence;
    this.isTorn = false;
  }

  /** Folds the part of an entry that concerns neither engine nor executor. */
  private keep(entry: Entry): void {
    this.lifecycle.fold(entry);
    this.rebalancer?.log.fold(entry);
    if (entry.record.kind === "operation") this.asked.fold(entry.record);
  }

  get freshStart(): FreshStart | undefined {
    return this.lifecycle.freshStart;
  }

  saved(): SavedTradingCore | undefined {
    const engine = this.engine.save();
    if (!engine.ok) return undefined;
    return { engine: engine.value, orders: this.executor.orders.save() };
  }

  load({ orders }: Omit<SavedTradingCore, "engine">, kept: readonly Entry[], at: number): void {
    invariant(
      this.folded === 0,
      `a trading core must be empty to begin at entry ${at}, and knows ${this.folded} entries`,
    );
    this.executor.load(orders, kept);
    for (const entry of kept) this.keep(entry);
    this.folded = at;
  }

  summary(): string {
    const engine = this.engine.save();
    const books = [engine.ok ? engine.value : engine.error, this.executor.summary()];
    const { states, freshStart } = this.lifecycle;
    return JSON.stringify([this.folded, ...books, states.summary(), freshStart]);
  }

  private requireWhole(): void {
    invariant(!this.isTorn, `the journal could not be read on after entry ${this.folded}: the books must be made anew`);
  }

  turn(input: Input, now: Moment): Turn {
    if (this.isTorn) this.requireWhole();
    this.engine.books.moment = now;
    if (this.lifecycle.isOutdated) return this.withoutStrategy(input, now);
    if (input === TIME && this.isTimeless()) {
      this.lifecycle.begin(now);
      const step = this.engine.process({ kind: "timer", receivedAt: now.at });
      return isRecorded(step) ? this.took(step, now) : QUIET;
    }
    if (input.kind === "event") {
      const step = this.engine.process(input.event);
      return isRecorded(step) ? this.took(step, now) : QUIET;
    }
    this.take(input, now);
    return this.finished(now);
  }

  /** True if only the engine depends on the passing of time. */
  private isTimeless(): boolean {
    return this.rebalancer === undefined && this.executor.isIdle && this.lifecycle.vacancy === undefined;
  }

  took(step: Step, now: Moment): Turn {
    this.stepped(step, now);
    return this.finished(now);
  }

  private take(input: Exclude<Input, { kind: "event" }>, now: Moment): void {
    const { executor } = this;
    const before = this.draft.records.length;
    switch (input.kind) {
      case "outcome":
        executor.outcome(input.id, input.outcome, now, this.draft);
        if (input.control !== undefined)
          this.draft.told.push({ kind: "control", control: input.control, receivedAt: now.at });
        break;
      case "answer":
        executor.answered(input.answer, now, this.draft);
        this.rebalancer?.heard(input.answer);
        // Balances are a witness, and also the venue's view of our spendable money.
        if (input.answer.witness === "balances")
          this.draft.told.push({ kind: "balances", balances: input.answer.rows, receivedAt: now.at });
        break;
      case "movement":
        this.once(input.asked, now, () => this.move(input.wish, now));
        break;
      case "order":
        this.once(input.asked, now, () => this.order(input, now));
        break;
      case "control":
        this.control(input, now);
        break;
      case "refused":
        this.once(input.asked, now, () => this.refuse(input.refusal));
        break;
      case "plan":
        this.once(input.asked, now, () => this.plan(input, now));
        break;
      case "unless": {
        const why = input.why();
        if (why !== undefined) this.refuse(why);
        else if (input.input.kind === "event") this.draft.told.push(input.input.event);
        else this.take(input.input, now);
        break;
      }
      case "unanswered":
        executor.unanswered(input, now, this.draft);
        break;
      case "resolution":
        executor.resolve(input.id, input.resolution, now, this.draft);
        break;
      case "expectation":
        executor.treasury.expect(input.rail, input.amount, now, this.draft);
        break;
      case "give-up":
        executor.treasury.giveUp(input.expectation, input.reason, input.by, now, this.draft);
        break;
      case "payment":
        executor.treasury.closePayment(input.id, input.end, input.reason, now, this.draft);
        break;
      case "rails":
        executor.treasury.rails.fold(input.record);
        this.draft.records.push(input.record);
        break;
      case "strategy":
        this.lifecycle.replace(input.strategy, input.isFresh === true, this.draft, now);
        break;
      case "adoption":
        // Books are opened once: a person may have adopted them between the comparison and this turn.
        if (input.isOpening && executor.isOpened) this.draft.notes.push("the books were opened meanwhile");
        else this.adopt(input, now);
        break;
      case "unquoted":
        this.engine.books.hideQuotes();
        this.draft.notes.push(UNQUOTED);
        break;
      case "save":
        this.lifecycle.save(this.draft, now);
        break;
      case "time":
        if (input.recovers === true) executor.recover(now, this.draft, input.isUnsure);
        executor.time(now, this.draft);
        this.lifecycle.keepVacant(this.draft, now);
        if (input.isUnsure !== true) this.draft.told.push({ kind: "timer", receivedAt: now.at });
        this.hear(now);
        this.rebalancer?.look(this.hands(now));
        break;
      default:
        unreachable(input);
    }
    if (!OF_PERSONS.has(input.kind)) return;
    for (const record of this.draft.records.slice(before)) {
      const text = personNote(record, executor);
      if (text !== undefined) this.draft.note(text);
    }
  }

  /** An operation that is known already leads to nothing; its record names what it led to, or why it was refused. */
  private once(asked: AskedOperation | undefined, { at }: Moment, work: () => unknown): void {
    const { draft } = this;
    if (asked !== undefined && this.asked.get(asked.id) !== undefined) return;
    const before = draft.sends.length;
    const found = work();
    if (asked === undefined) return;
    const sent = draft.sends[before];
    const request = typeof found === "string" ? found : sent && (isOrder(sent) ? sent.clientOrderId : sent.id);
    const refusal = request === undefined ? (draft.refusal?.message ?? "the order was not decided on") : undefined;
    const record = { kind: "operation", at, ...asked, request, refusal } as const;
    this.asked.fold(record);
    draft.record(record);
  }

  private order({ proposal, unless }: Extract<Input, { kind: "order" }>, now: Moment): void {
    const message = unless?.(this.engine.preview(proposal));
    if (message !== undefined) {
      this.refuse(message);
      return;
    }
    const step = this.engine.wish(proposal, now.at);
    if (isRecorded(step)) this.stepped(step, now);
    const verdict = step.decisions[0]?.verdict;
    if (verdict?.kind === "refused") this.draft.refusal = verdict.refusal;
  }

  private refuse(message: string): void {
    this.draft.refusal = { rule: "", limit: "", value: "", message };
  }

  /** Returns the id of the plan that it is about. */
  private plan({ decide }: Extract<Input, { kind: "plan" }>, now: Moment): string | undefined {
    const { rebalancer } = this;
    const decided = rebalancer === undefined ? "the journal knows no such plan" : decide(rebalancer.log, now.at);
    const why = typeof decided === "string" ? decided : rebalancer?.decided(decided, this.hands(now));
    if (why !== undefined) this.refuse(why);
    return why === undefined && typeof decided !== "string" ? decided.records[0]?.id : undefined;
  }

  /** The rebalancer's actions within a turn. */
  private hands(now: Moment): Hands {
    const { draft, engine, executor } = this;
    return {
      now,
      engine,
      executor,
      record: (record) => draft.record(record),
      note: (text) => draft.note(text),
      ask: (ask) => draft.ask(ask),
      order: (proposal) => {
        const step = engine.wish(proposal, now.at);
        if (isRecorded(step)) this.stepped(step, now);
        return step.decisions[0]?.verdict;
      },
      move: (wish) => {
        const before = draft.sends.length;
        draft.refusal = undefined;
        this.move(wish, now);
        const sent = draft.sends[before];
        return sent === undefined || isOrder(sent) ? draft.refusal : sent.id;
      },
      expect: (rail, amount) => executor.treasury.expect(rail, amount, now, draft),
    };
  }

  judge(wish: MovementWish, now: Moment): MovementVerdict {
    const { executor, engine } = this;
    const busy = executor.treasury.refusal(wish);
    const message = busy ?? movementFrozenBy(executor.freeze(now), wish);
    if (message !== undefined) {
      const rule = busy === undefined ? "RM08" : "RM07";
      const limit = "none of it in doubt or under way";
      return { kind: "refused", refusal: { rule, limit, value: wish.kind, message } };
    }
    return this.movements.review(wish, engine.books, executor.treasury.mintsSince(millis(now.at - DAY_MS)));
  }

  /** Approves, reserves and records in one turn, like an order. */
  private move(wish: MovementWish, now: Moment): void {
    const { executor } = this;
    const verdict = this.judge(wish, now);
    if (verdict.kind === "refused") {
      this.draft.refusal = verdict.refusal;
      return;
    }
    this.draft.sends.push(verdict.movement);
    executor.intend(verdict.movement, this.stakeOf(wish), now, this.draft);
  }

  private control({ control, unless }: Extract<Input, { kind: "control" }>, { at }: Moment): void {
    const message = unless?.(this.engine.books.counters.tradingState);
    if (message !== undefined) this.draft.refusal = { rule: "", limit: "", value: "", message };
    else this.draft.told.push({ kind: "control", control, receivedAt: at });
  }

  private stakeOf(wish: MovementWish): Money | undefined {
    if (wish.kind !== "mint") return undefined;
    const { spentMax } = wish.mint;
    const { pricing } = this.engine.books;
    return stakeIn(pricing.currency, spentMax, pricing.rate(spentMax.asset));
  }

  /** The record states the part of the venue's history that it covers; the accompanying step moves the books. */
  private adopt(input: Extract<Input, { kind: "adoption" }>, now: Moment): void {
    const { adoption, lost = 0, odd = [] } = input;
    const { amounts, reason, at } = adoption;
    this.executor.adopt(adoption, now, this.draft);
    this.draft.told.push({ kind: "adoption", amounts, reason, receivedAt: at });
    this.lifecycle.outdate({ lost, odd: odd.length }, this.draft, now);
  }

  /** Processed in order: events raised during a step come after it. */
  private hear(now: Moment): void {
    const { draft } = this;
    while (draft.heard < draft.told.length) {
      const step = this.engine.process(draft.told[draft.heard++] as Event);
      if (isRecorded(step)) this.stepped(step, now);
    }
    draft.told.length = 0;
    draft.heard = 0;
  }

  private stepped(step: Step, now: Moment): void {
    const { draft } = this;
    draft.step(step);
    const { decisions, event } = step;
    if (event.kind === "report" && this.engine.strategy.wakes.has("report")) draft.isHeard = true;
    if (event.kind === "control" && event.control.kind === "resume") this.executor.resumed();
    for (let i = 0; i < decisions.length; i++) {
      const { verdict, basis } = decisions[i] as Decision;
      if (verdict.kind !== "approved") continue;
      // Made by the engine's gate, which is the only source of approvals in the core.
      const intent = verdict.intent as Approved;
      draft.sends.push(intent);
      const stake = stakeOf(intent, basis.rate, this.engine.books.pricing.currency);
      this.executor.intend(intent, stake, now, this.draft);
    }
  }

  host(strategy: Strategy): Continuation {
    return this.lifecycle.host(strategy);
  }

  continuation(strategy: Strategy): Continuation {
    return this.lifecycle.states.continued(strategy);
  }

  /** Retires the strategy before anything else is processed. */
  private withoutStrategy(input: Input, now: Moment): Turn {
    this.lifecycle.leave(this.draft, now);
    if (input.kind === "event") this.draft.told.push(input.event);
    else this.take(input, now);
    return this.finished(now);
  }

  private finished(now: Moment): Turn {
    this.hear(now);
    const { draft, lifecycle } = this;
    lifecycle.begin(now);
    if (lifecycle.isSafePoint(draft, now)) {
      lifecycle.save(draft, now);
      this.hear(now);
    }
    if (draft.isEmpty()) return QUIET;
    this.draft = new Draft();
    return draft;
  }
}

const OF_PERSONS: ReadonlySet<Input["kind"]> = new Set(["plan", "resolution", "rails"]);

const UNQUOTED =
  "the venue shows no quotes: fair values come from reference feeds, and from par for the pairs in market.parFair; quotes are asked for again every minute";

/** The step of a control that a command journaled without an engine, so that the books still follow it. */
function stepOf({ control, at }: ControlRecord, { sequence }: Engine["books"]): Step {
  const event = { kind: "control", control, receivedAt: at } as const;
  return { sequence, at, event, decisions: [], commands: [], mark: undefined };
}
