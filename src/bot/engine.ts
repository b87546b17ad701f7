// The engine: one input in, one turn out, the same for live, paper, shadow and backtest. The books take what came, risk
// is monitored, the strategy is asked, and each wish passes the gate in turn: an approved one is reserved before the
// next is reviewed. Synchronous and deterministic: no clock, no randomness, no I/O. The caller makes the records of a
// turn durable before anything is sent or asked.

import type { Books, SavedBooks } from "../books/books.ts";
import type { Event } from "../domain/event.ts";
import { invariant } from "../domain/invariant.ts";
import { isRecorded, type Proposal, type Step } from "../domain/step.ts";
import type { Executor } from "../execution/executor.ts";
import type { Moment } from "../execution/request.ts";
import type { SavedOrders } from "../execution/request-store.ts";
import type { Entry } from "../journal/record.ts";
import type { Approved } from "../risk/gate.ts";
import type { Gate } from "../risk/rule.ts";
import type { MovementGate } from "../risk/treasury-gate.ts";
import type { Strategy } from "../strategy/prepare.ts";
import type { Rebalancer } from "../treasury/rebalancer/rebalancer.ts";
import type { Core } from "./core.ts";
import type { Input } from "./input.ts";
import { Requests } from "./requests.ts";
import { Review, stepOf } from "./review/review.ts";
import { RiskMonitor } from "./review/risk-monitor.ts";
import { isNothing } from "./strategy-host/answer.ts";
import { StrategyHost } from "./strategy-host/strategy-host.ts";
import { StrategyLifecycle } from "./strategy-host/strategy-lifecycle.ts";
import { Draft, QUIET, type Turn } from "./turn.ts";

export type EngineSettings = {
  /** A strategy's state is recorded with its orders and reports, and with the first record after this interval. */
  readonly safePointMs: number;
};

/** The state at one record. */
export type SavedEngine = { readonly books: SavedBooks; readonly orders: SavedOrders };

export class Engine {
  readonly books: Books;
  readonly executor: Executor;
  readonly gate: Gate<Approved>;
  readonly movements: MovementGate;
  readonly rebalancer: Rebalancer | undefined;
  readonly requests: Requests;
  readonly review: Review;
  readonly host: StrategyHost;
  readonly lifecycle: StrategyLifecycle;
  readonly #risk: RiskMonitor;
  #turn = new Draft();
  /** The sequence of the last folded entry. */
  folded = 0;

  constructor(core: Core, { safePointMs }: EngineSettings) {
    const { books, gate, strategy, executor, movements, rebalancer } = core;
    this.books = books;
    this.executor = executor;
    this.gate = gate;
    this.movements = movements;
    this.rebalancer = rebalancer;
    this.review = new Review(gate, books, core.review, (asset) => rebalancer?.log.giving(asset));
    this.#risk = new RiskMonitor(gate, books, core.review.checkEveryMs);
    this.host = new StrategyHost(strategy, books, (proposal) => this.review.preview(proposal));
    this.lifecycle = new StrategyLifecycle(this.host, books, safePointMs);
    const { lifecycle, review } = this;
    this.requests = new Requests({ ...core, lifecycle, review, wish: (proposal) => this.#wish(proposal) });
  }

  get strategy(): Strategy {
    return this.host.strategy;
  }

  process(input: Input, now: Moment): Turn {
    const { books, requests, lifecycle } = this;
    const turn = this.#turn;
    turn.now = now;
    books.moment = now;
    if (lifecycle.isOutdated) lifecycle.leave(turn);
    requests.take(input, turn); // records, questions and events of what came; orders and movements asked for
    this.#hear(turn);
    if (input.kind === "time" && requests.rebalance(turn)) this.#hear(turn);
    if (lifecycle.isSafePoint(turn)) {
      lifecycle.save(turn);
      this.#hear(turn);
    }
    if (turn.isEmpty()) return QUIET;
    this.#turn = new Draft();
    return turn;
  }

  /** One event. `wish`: a proposal of a person or the treasury, instead of the strategy's answer. */
  step(given: Event, wish?: Proposal): Step {
    const { books, host } = this;
    const event = books.valued(given);
    const taken = books.take(event);
    const found = typeof taken === "string" ? this.#risk.monitor(event) : this.#risk.contradicted(taken);
    const isDeaf = taken === "unusable" || (wish !== undefined && books.isHalted);
    const answer = isDeaf ? undefined : (wish ?? host.ask(event));
    if (answer === undefined || isNothing(answer)) return stepOf(books, event, found);
    const before = this.#risk.beforeOrders();
    const reviewed = this.review.answer(answer, this.strategy.name, wish === undefined);
    return stepOf(books, event, found, before, reviewed);
  }

  /** Applies an entry of the journal. */
  fold(entry: Entry): void {
    if (entry.sequence <= this.folded) return;
    const { record } = entry;
    if (record.kind === "step") this.books.replay(record.step);
    else if (record.kind === "control") this.books.control(record);
    this.executor.fold(entry);
    this.#keep(entry);
    this.folded = entry.sequence;
  }

  save(): SavedEngine {
    return { books: this.books.save(), orders: this.executor.orders.save() };
  }

  /** For a new engine whose books are those saved. `kept`: the earlier entries that matter still. `at`: the last one covered. */
  load({ orders }: Pick<SavedEngine, "orders">, kept: readonly Entry[], at: number): void {
    invariant(this.folded === 0, `an engine must be empty to begin at entry ${at}, and knows ${this.folded} entries`);
    this.executor.load(orders, kept);
    for (const entry of kept) this.#keep(entry);
    this.folded = at;
  }

  #keep(entry: Entry): void {
    this.lifecycle.fold(entry);
    this.rebalancer?.log.fold(entry);
    this.requests.fold(entry);
  }

  /** In order: events raised during a step come after it. */
  #hear(turn: Draft): void {
    for (let event = turn.heard(); event !== undefined; event = turn.heard()) this.#follow(this.step(event), turn);
  }

  #wish(proposal: Proposal): Step {
    const turn = this.#turn;
    const step = this.step({ kind: "timer", receivedAt: turn.now.at }, proposal);
    this.#follow(step, turn);
    return step;
  }

  #follow(step: Step, turn: Draft): void {
    if (!isRecorded(step)) return;
    if (step.event.kind === "report" && this.strategy.wakes.has("report")) turn.isHeard = true;
    this.requests.follow(step, turn);
  }
}
