// The engine. The books take an event, risk is monitored, the strategy is asked, and each proposal goes through
// validation and the gate in turn: an approved one is reserved before the next is checked. Events in, steps out, in one
// synchronous and deterministic function: no clock, no randomness, no I/O.

import type { Event } from "../../domain/event.ts";
import { ok, type Result } from "../../domain/result.ts";
import type { Command, Proposal, Refusal, Step } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { Gate, Preview } from "../../risk/rule.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import { saveState } from "../../strategy/state.ts";
import type { Books, SavedBooks } from "../books/books.ts";
import { isNothing } from "../strategy-host/answer.ts";
import { type Note, StrategyHost } from "../strategy-host/strategy-host.ts";
import { Review, type ReviewSettings } from "./review.ts";
import { NOTHING_FOUND, RiskMonitor } from "./risk-monitor.ts";

export type EngineSettings = ReviewSettings & {
  /** The interval of equity checks while only prices move; equity is always checked before an order. */
  readonly checkEveryMs?: number;
};

export type EngineParts = {
  readonly strategy: Strategy;
  readonly gate: Gate;
  readonly books: Books;
  readonly settings: EngineSettings;
};

/** The strategy is saved by `saveState`. */
export type SavedEngine = SavedBooks & { readonly strategy: { readonly name: string; readonly state: unknown } };

const NO_ANSWER: Pick<Step, "decisions" | "commands"> = Object.freeze({ decisions: [], commands: [] });

export class Engine {
  readonly books: Books;
  readonly #risk: RiskMonitor;
  readonly #review: Review;
  readonly #host: StrategyHost;

  constructor({ strategy, gate, books, settings }: EngineParts) {
    this.books = books;
    this.#risk = new RiskMonitor(gate, books, settings.checkEveryMs ?? 10_000);
    this.#review = new Review(gate, books, settings);
    this.#host = new StrategyHost(strategy, books, (proposal) => this.#review.preview(proposal));
  }

  get strategy(): Strategy {
    return this.#host.strategy;
  }

  /** The strategy's last note. */
  get note(): Note | undefined {
    return this.#host.said;
  }

  /** `wish`: a proposal of a person or the treasury, instead of the strategy's answer; no effect while halted. */
  process(given: Event, wish?: Proposal): Step {
    const { books } = this;
    const event = books.valued(given);
    const taken = books.take(event);
    const found = typeof taken === "string" ? this.#risk.monitor(event) : this.#risk.contradicted(taken);
    const answer = taken === "unusable" ? undefined : this.#answer(event, wish);
    if (answer === undefined || isNothing(answer)) return this.#step(event, found);
    const before = this.#risk.beforeOrders();
    return this.#step(event, found, before, this.#review.answer(answer, this.strategy.name));
  }

  /** Proposes an order on behalf of a caller other than the strategy, through the same validation and gate. */
  wish(proposal: Proposal, at: Millis): Step {
    return this.process({ kind: "timer", receivedAt: at }, proposal);
  }

  /** The gate's verdict on this proposal now, and the size after caps. Changes nothing. */
  preview(proposal: Proposal): Preview {
    return this.#review.preview(proposal);
  }

  /** Why the gate cannot judge this proposal now: prices are missing or too old. Changes nothing. */
  unjudged(proposal: Proposal): Refusal | undefined {
    return this.#review.unjudged(proposal);
  }

  /** Called between two events: the new strategy decides from the next event on. */
  replaceStrategy(strategy: Strategy): void {
    this.#host.replace(strategy);
  }

  /** Plain JSON data; an error names the part of the strategy's state that cannot be saved. */
  save(): Result<SavedEngine> {
    const state = saveState(this.strategy.state);
    return state.ok ? ok({ ...this.books.save(), strategy: { name: this.strategy.name, state: state.value } }) : state;
  }

  #answer(event: Event, wish: Proposal | undefined): unknown {
    if (wish === undefined) return this.#host.ask(event);
    return this.books.isHalted ? undefined : wish;
  }

  #step(event: Event, found = NOTHING_FOUND, before = NOTHING_FOUND, { decisions, commands } = NO_ANSWER): Step {
    const { books } = this;
    const isQuiet = found === NOTHING_FOUND && before === NOTHING_FOUND && decisions === NO_ANSWER.decisions;
    // A timer without an effect is not counted as an event, so that callers may skip it.
    if (event.kind === "timer" && !isQuiet) books.prices.moment.sequence++;
    const { sequence, now: at } = books;
    if (isQuiet) return { ...NO_ANSWER, sequence, at, event, mark: undefined };
    const ownAtPar = found.ownAtPar ?? before.ownAtPar;
    const mids = found.mids ?? before.mids;
    return {
      sequence,
      at,
      event,
      decisions,
      commands: joined(found.commands, before.commands, commands),
      mark: found.mark ?? before.mark,
      ...(ownAtPar === undefined ? {} : { ownAtPar }),
      ...(mids === undefined ? {} : { mids }),
    };
  }
}

/** Usually only the last is non-empty. */
function joined(found: readonly Command[], before: readonly Command[], answer: readonly Command[]): readonly Command[] {
  return found.length + before.length === 0 ? answer : [...found, ...before, ...answer];
}
