// What an input says of requests that move money, and what is asked for: every order, mint and rail of the bot begins
// here, and every fact about one passes here to the executor.

import type { Books } from "../books/books.ts";
import { unreachable } from "../domain/invariant.ts";
import type { Money } from "../domain/money/money.ts";
import { stakeIn, stakeOf } from "../domain/notional.ts";
import type { Proposal, Step } from "../domain/step.ts";
import { DAY_MS } from "../domain/time.ts";
import type { Executor } from "../execution/executor.ts";
import type { Moment } from "../execution/request.ts";
import { judgeMovement } from "../execution/send.ts";
import type { Entry, OperationRecord } from "../journal/record.ts";
import type { Approved } from "../risk/gate.ts";
import { isOrder, type MovementGate, type MovementVerdict, type MovementWish } from "../risk/treasury-gate.ts";
import type { Hands } from "../treasury/rebalancer/parts.ts";
import type { Rebalancer } from "../treasury/rebalancer/rebalancer.ts";
import type { AskedOperation, Input } from "./input.ts";
import type { Review } from "./review/review.ts";
import type { StrategyLifecycle } from "./strategy-host/strategy-lifecycle.ts";
import { type Draft, personNote } from "./turn.ts";

type Parts = {
  readonly books: Books;
  readonly executor: Executor;
  readonly movements: MovementGate;
  readonly rebalancer?: Rebalancer | undefined;
  readonly review: Review;
  readonly lifecycle: StrategyLifecycle;
  /** The step of an order that is asked for, within the turn under way. */
  readonly wish: (proposal: Proposal) => Step;
};

type Of<K extends Input["kind"]> = Extract<Input, { kind: K }>;

/** An id that is older than a day is refused before it comes here. */
export const ASKED_MS = DAY_MS + 3_600_000;

export class Requests {
  readonly #parts: Parts;
  /** The operations of the last day by the ids under which they were asked, oldest first. */
  readonly asked = new Map<string, OperationRecord>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  fold({ record }: Pick<Entry, "record">): void {
    if (record.kind !== "operation") return;
    for (const [id, { at }] of this.asked) {
      if (record.at - at < ASKED_MS) break;
      this.asked.delete(id);
    }
    this.asked.set(record.id, record);
  }

  take(input: Input, turn: Draft): void {
    const { executor, lifecycle, rebalancer, books } = this.#parts;
    const { treasury } = executor;
    const { now } = turn;
    switch (input.kind) {
      case "event":
        turn.tell(input.event);
        break;
      case "outcome":
        executor.outcome(input.id, input.outcome, now, turn);
        if (input.control !== undefined) turn.control(input.control);
        break;
      case "answer":
        executor.answered(input.answer, now, turn);
        rebalancer?.heard(input.answer);
        // Balances are a witness, and also the venue's view of our spendable money.
        if (input.answer.witness === "balances")
          turn.tell({ kind: "balances", balances: input.answer.rows, receivedAt: now.at });
        break;
      case "unanswered":
        executor.unanswered(input, now, turn);
        break;
      case "movement":
        this.#once(input.asked, turn, () => this.#move(input.wish, turn));
        break;
      case "order":
        this.#once(input.asked, turn, () => this.#order(input, turn));
        break;
      case "refused":
        this.#once(input.asked, turn, () => turn.refuse(input.refusal));
        break;
      case "plan":
        this.#noted(turn, () => this.#once(input.asked, turn, () => this.#plan(input, turn)));
        break;
      case "control":
        this.#unless(input.unless?.(books.counters.tradingState), turn, () => turn.control(input.control));
        break;
      case "unless":
        this.#unless(input.why(), turn, () => this.take(input.input, turn));
        break;
      case "resolution":
        this.#noted(turn, () => executor.resolve(input.id, input.resolution, now, turn));
        break;
      case "give-up":
        treasury.giveUp(input.expectation, input.reason, input.by, now, turn);
        break;
      case "payment":
        treasury.closePayment(input.id, input.end, input.reason, now, turn);
        break;
      case "rails":
        treasury.rails.fold(input.record);
        this.#noted(turn, () => turn.record(input.record));
        break;
      case "strategy":
        lifecycle.replace(input.strategy, input.isFresh === true, turn);
        break;
      case "adoption":
        // Books are opened once: a person may have adopted them between the comparison and this turn.
        if (input.isOpening && executor.isOpened) turn.note("the books were opened meanwhile");
        else this.#adopt(input, turn);
        break;
      case "unquoted":
        books.hideQuotes();
        turn.note(UNQUOTED);
        break;
      case "save":
        lifecycle.save(turn);
        break;
      case "time":
        if (input.recovers === true) executor.recover(now, turn, input.isUnsure);
        executor.time(now, turn);
        lifecycle.keepVacant(turn);
        if (input.isUnsure !== true) turn.tell({ kind: "timer", receivedAt: now.at });
        break;
      default:
        unreachable(input);
    }
  }

  /** As time passes. Returns false if there is nothing to rebalance. */
  rebalance(turn: Draft): boolean {
    const { rebalancer } = this.#parts;
    rebalancer?.look(this.#hands(turn));
    return rebalancer !== undefined;
  }

  /** A recorded step: its approved orders are intended and sent. */
  follow(step: Step, turn: Draft): void {
    const { executor, books } = this.#parts;
    turn.step(step);
    const { decisions, event } = step;
    if (event.kind === "control" && event.control.kind === "resume") executor.resumed();
    for (const { verdict, basis } of decisions) {
      if (verdict.kind !== "approved") continue;
      // Made by the engine's gate, which is the only source of approvals.
      const intent = verdict.intent as Approved;
      turn.sends.push(intent);
      executor.intend(intent, stakeOf(intent, basis.rate, books.pricing.currency), turn.now, turn);
    }
  }

  /** The verdict on this mint or rail now, by requests in flight, freezes and the gate. Records and reserves nothing. */
  judge(wish: MovementWish, now: Moment): MovementVerdict {
    return judgeMovement(wish, this.#parts, now);
  }

  /** An operation that is known already leads to nothing; its record names what it led to, or why it was refused. */
  #once(asked: AskedOperation | undefined, turn: Draft, work: () => unknown): void {
    if (asked !== undefined && this.asked.has(asked.id)) return;
    const before = turn.sends.length;
    const found = work();
    if (asked === undefined) return;
    const request = typeof found === "string" ? found : sentIn(turn, before);
    const refusal = request === undefined ? (turn.refusal?.message ?? "the order was not decided on") : undefined;
    const record = { kind: "operation", at: turn.now.at, ...asked, request, refusal } as const;
    this.fold({ record });
    turn.record(record);
  }

  #unless(why: string | undefined, turn: Draft, work: () => void): void {
    if (why === undefined) work();
    else turn.refuse(why);
  }

  /** What a person decided is told to those who watch. */
  #noted(turn: Draft, work: () => void): void {
    const before = turn.records.length;
    work();
    for (const record of turn.records.slice(before)) {
      const text = personNote(record, this.#parts.executor);
      if (text !== undefined) turn.note(text);
    }
  }

  #order({ proposal, unless }: Of<"order">, turn: Draft): void {
    const { review, wish } = this.#parts;
    this.#unless(unless?.(review.preview(proposal)), turn, () => {
      const verdict = wish(proposal).decisions[0]?.verdict;
      if (verdict?.kind === "refused") turn.refusal = verdict.refusal;
    });
  }

  /** Approves, reserves and records in one turn, like an order. */
  #move(wish: MovementWish, turn: Draft): void {
    const verdict = this.judge(wish, turn.now);
    if (verdict.kind === "refused") {
      turn.refusal = verdict.refusal;
      return;
    }
    turn.sends.push(verdict.movement);
    this.#parts.executor.intend(verdict.movement, this.#stakeOf(wish), turn.now, turn);
  }

  #stakeOf(wish: MovementWish): Money | undefined {
    if (wish.kind !== "mint") return undefined;
    const { spentMax } = wish.mint;
    const { pricing } = this.#parts.books;
    return stakeIn(pricing.currency, spentMax, pricing.rate(spentMax.asset));
  }

  /** Returns the id of the plan that it is about. */
  #plan({ decide }: Of<"plan">, turn: Draft): string | undefined {
    const { rebalancer } = this.#parts;
    const decided = rebalancer === undefined ? "the journal knows no such plan" : decide(rebalancer.log, turn.now.at);
    if (typeof decided === "string") {
      turn.refuse(decided);
      return undefined;
    }
    rebalancer?.decided(decided, this.#hands(turn));
    return decided.records[0]?.id;
  }

  /** The record states the part of the venue's history that it covers; the accompanying step moves the books. */
  #adopt({ adoption, lost = 0, odd = [] }: Of<"adoption">, turn: Draft): void {
    const { amounts, reason, at } = adoption;
    this.#parts.executor.adopt(adoption, turn.now, turn);
    turn.tell({ kind: "adoption", amounts, reason, receivedAt: at });
    this.#parts.lifecycle.outdate({ lost, odd: odd.length }, turn);
  }

  /** The rebalancer's actions within a turn. */
  #hands(turn: Draft): Hands {
    const { books, executor, lifecycle, wish } = this.#parts;
    const { now } = turn;
    return {
      now,
      ...{ books, executor, strategy: lifecycle.running.strategy },
      record: (record) => turn.record(record),
      note: (text) => turn.note(text),
      ask: (ask) => turn.ask(ask),
      order: (proposal) => wish(proposal).decisions[0]?.verdict,
      move: (one) => {
        const before = turn.sends.length;
        turn.refusal = undefined;
        this.#move(one, turn);
        return sentIn(turn, before) ?? turn.refusal;
      },
      expect: (rail, amount) => executor.treasury.expect(rail, amount, now, turn),
    };
  }
}

/** The id of the first request sent since. */
function sentIn({ sends }: Draft, before: number): string | undefined {
  const sent = sends[before];
  return sent && (isOrder(sent) ? sent.clientOrderId : sent.id);
}

const UNQUOTED =
  "the venue shows no quotes: fair values come from reference feeds, and from par for the pairs in market.parFair; quotes are asked for again every minute";
