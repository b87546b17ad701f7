// Applies a recorded step to money and limits: the one path for both the running engine and a fold over the journal, so
// that their books cannot differ. Needs no price, no strategy and no gate.

import type { PairSymbol } from "../../domain/asset.ts";
import type { AdoptionEvent, Event, Halt, OrderReport, ReportEvent } from "../../domain/event.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { invariant } from "../../domain/invariant.ts";
import type { Money } from "../../domain/money/money.ts";
import { feeOf, type MovementEvent } from "../../domain/movement.ts";
import { type ClientOrderId, type Fill, legsText } from "../../domain/order.ts";
import type { Basis, Decision, MidOfPair, OrderIntent, Step } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import { ADOPT_AND_RESUME, lateSubject } from "../../execution/remediation.ts";
import type { CounterEntry, Counters, StateCommand } from "../../risk/counters.ts";
import { RESUME } from "../../risk/trading-state.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { crossingOf } from "./adoption.ts";

/** Receives approved orders and the ends of proposals. */
export interface Witness {
  approved(intent: OrderIntent, fair: number | undefined): void;
  /** Once per order, unless it was released before it filled. */
  ended(intent: OrderIntent, report: OrderReport, at: Millis): void;
  refused(decision: Decision, at: Millis): void;
}

type Worth = Pick<AdoptionEvent, "value" | "atPar">;

export class Fold {
  readonly accounts: Accounts;
  readonly counters: Counters;
  #instruments: ReadonlyMap<PairSymbol, Instrument>;
  /** Notified so that derived values are refreshed. */
  witness: Witness | undefined = undefined;
  /** The order that the last report changed. */
  reported: OrderIntent | undefined = undefined;

  constructor(accounts: Accounts, counters: Counters, instruments: readonly Instrument[] = []) {
    this.accounts = accounts;
    this.counters = counters;
    this.#instruments = bySymbol(instruments);
  }

  get instruments(): ReadonlyMap<PairSymbol, Instrument> {
    return this.#instruments;
  }

  /** Applies the event itself; returns a halt if it contradicts the books. */
  event(event: Event, at: Millis): StateCommand | undefined {
    switch (event.kind) {
      case "balances":
        this.accounts.tell(event.balances);
        return undefined;
      case "adoption":
        return this.#adopt(event, at);
      case "instruments":
        this.#instruments = bySymbol(event.instruments);
        return undefined;
      case "report":
        return this.report(event, at);
      case "movement":
        return this.#move(event, at);
      case "control":
        this.#enter({ kind: "control", control: event.control, at });
        return undefined;
      default:
        return undefined;
    }
  }

  /** Reserves both ways at once, before the next proposal is checked. */
  approved(intent: OrderIntent, { rate, bid, ask, fair }: Partial<Basis>, at: Millis): void {
    this.accounts.reserve(intent);
    const mid = bid === undefined || ask === undefined ? fair : (bid + ask) / 2;
    this.#enter({ kind: "approved", intent, rate, mid, at });
    this.witness?.approved(intent, fair);
  }

  refused(decision: Decision, at: Millis): void {
    this.#enter({ kind: "refused", at });
    this.witness?.refused(decision, at);
  }

  command(command: StateCommand, at: Millis): void {
    this.#enter({ kind: "state", command, at });
  }

  mark(equity: Money, ownAtPar: Money | undefined, at: Millis): void {
    this.#enter({ kind: "mark", equity, ownAtPar, at });
  }

  mids(mids: readonly MidOfPair[], at: Millis): void {
    this.#enter({ kind: "mids", mids, at });
  }

  /** Applies a whole recorded step, in the engine's order. */
  step(step: Step): void {
    const { at } = step;
    this.event(step.event, at);
    if (step.mids !== undefined) this.mids(step.mids, at);
    if (step.mark !== undefined) this.mark(step.mark, step.ownAtPar, at);
    for (const decision of step.decisions) if (decision.verdict.kind === "refused") this.refused(decision, at);
    for (const command of step.commands) {
      if (command.kind === "state") this.command(command, at);
      else this.#submitted(command.intent, step);
    }
  }

  #enter(entry: CounterEntry): void {
    this.counters.apply(entry);
  }

  #adopt({ amounts, value, atPar, costs }: AdoptionEvent, at: Millis): StateCommand | undefined {
    this.accounts.adopt(amounts, costs);
    return this.#adopted({ value, atPar }, at, "adoption", "what was adopted");
  }

  /** A deposit or withdrawal is neither profit nor loss: the bases of the loss limits shift by it. */
  #adopted({ value, atPar }: Worth, at: Millis, subject: string, what: string): StateCommand | undefined {
    const isBaseLost = value === undefined && this.counters.peak !== undefined;
    this.#enter({ kind: "adopted", value, atPar, at });
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
    if (cost !== undefined) this.#enter({ kind: "fee", ...cost, value: feeValue, at });
    if (crossing === undefined) return undefined;
    const isIn = crossing.way === "in";
    const worth = isIn ? { value, atPar } : { value: value?.negated(), atPar: atPar?.negated() };
    return this.#adopted(worth, at, id, `what ${id} brought ${isIn ? "from " : ""}outside`);
  }

  #submitted(intent: OrderIntent, { decisions, at }: Step): void {
    const decision = decisions.find(
      ({ verdict }) => verdict.kind === "approved" && verdict.intent.clientOrderId === intent.clientOrderId,
    );
    const instrument = this.#instruments.get(intent.symbol);
    invariant(
      decision !== undefined,
      `submitted order ${intent.clientOrderId} must have its decision in the same step`,
    );
    invariant(instrument !== undefined, `submitted order ${intent.clientOrderId} must be of a listed symbol`);
    this.approved(intent, decision.basis, at);
  }

  /** Applies the report of an order. */
  report(event: ReportEvent, at: Millis): StateCommand | undefined {
    const { clientOrderId, report } = event;
    this.reported = undefined;
    if (report.kind === "filled") return this.#filled(event, report.fill, at);
    const { accounts } = this;
    const isOver = report.kind === "not-sent" || report.kind === "rejected" || report.kind === "dead";
    const intent = isOver ? accounts.release(clientOrderId) : accounts.open.get(clientOrderId)?.intent;
    if (intent === undefined) {
      const end = isOver ? accounts.endOf(clientOrderId) : undefined;
      // A repeated report frees nothing twice and extends no streak.
      if (end === "not filled") return undefined;
      const what = `order ${clientOrderId} was reported ${report.kind}`;
      return end === "filled"
        ? halted({
            cause: "late_fill",
            subject: `ended ${clientOrderId}`,
            reason: `${what} after it had filled`,
            wayOut: ADOPT_AND_RESUME,
          })
        : contradiction(`unknown ${clientOrderId}`, `${what}, but the books do not know it`);
    }
    this.reported = intent;
    if (isOver) this.witness?.ended(intent, report, at);
    this.#enter({ kind: "report", intent, clientOrderId, report, first: true, realised: undefined, at });
    return undefined;
  }

  #filled({ clientOrderId, report }: ReportEvent, fill: Fill, at: Millis): StateCommand | undefined {
    const booking = this.#book(clientOrderId, fill);
    if (booking.kind === "contradiction") return contradiction(`fill of ${clientOrderId}`, booking.message);
    const first = booking.kind === "booked";
    const intent = first ? booking.intent : undefined;
    this.reported = intent;
    if (intent !== undefined) this.witness?.ended(intent, report, at);
    const realised = first ? booking.realised : undefined;
    this.#enter({ kind: "report", intent, clientOrderId, report, first, realised, at });
    if (!first || !booking.late) return undefined;
    const reason = `order ${clientOrderId} filled after it had been given up: ${legsText(fill)}; the fill is booked`;
    return halted({ ...lateSubject(clientOrderId), finding: "booked", reason, wayOut: ADOPT_AND_RESUME });
  }

  #book(clientOrderId: ClientOrderId, fill: Fill): ReturnType<Accounts["book"]> {
    if (fill.clientOrderId === clientOrderId) return this.accounts.book(fill);
    const message = `fill must be of the order that is reported, ${clientOrderId}, was of ${fill.clientOrderId}`;
    return { kind: "contradiction", message };
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
