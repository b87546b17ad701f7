// What follows from a turn that is on disk: orders to send, witnesses to ask, lists to read, inputs to take next. Plain
// data, so that the running bot and a backtest set the same work going.

import type { ClientOrderId } from "../domain/order.ts";
import type { Step } from "../domain/step.ts";
import type { Question } from "../execution/heard.ts";
import type { Moment } from "../execution/submission.ts";
import type { Approval } from "../risk/movement-gate.ts";
import type { Agenda, Read } from "./agenda.ts";
import type { Desk, Input, Turn } from "./desk.ts";
import type { StartUp } from "./start-up.ts";

export type Work = {
  readonly sends: readonly Approval[];
  readonly asks: readonly Question[];
  readonly reads: readonly Read[];
  readonly inputs: readonly Input[];
};

/** What is looked at after a kill: nothing of ours may be on its way that we do not know. */
const KILL_CHECKS: readonly Question[] = [
  { witness: "orders", asset: undefined, class: "kill-check" },
  { witness: "trades", asset: undefined, class: "kill-check" },
];

const NOTHING: readonly never[] = Object.freeze([]);
/** Nothing follows. */
export const NO_WORK: Work = Object.freeze({ sends: NOTHING, asks: NOTHING, reads: NOTHING, inputs: NOTHING });

export class Foreman {
  readonly #startUp: StartUp;
  readonly #agenda: Agenda;
  #wasKilled = false;
  /** Orders whose fill was answered and not seen in history yet. */
  readonly #answered = new Set<ClientOrderId>();

  constructor(startUp: StartUp, agenda: Agenda) {
    this.#startUp = startUp;
    this.#agenda = agenda;
  }

  /** A bot that is stopping begins nothing but what it approved before. */
  after(input: Input, turn: Turn, desk: Desk, now: Moment, isStopping: boolean): Work {
    const { sends } = turn;
    const { steps } = turn;
    for (let i = 0; i < steps.length; i++) if (this.#movesMoney(steps[i] as Step)) this.#agenda.moved();
    if (isStopping) return { sends, asks: NOTHING, reads: NOTHING, inputs: NOTHING };
    const isKilled = desk.engine.context.books.state === "KILLED";
    const checks = isKilled && !this.#wasKilled ? KILL_CHECKS : NOTHING;
    this.#wasKilled = isKilled;
    const { asks, inputs } = this.#startUp.after(input, desk, now);
    const all = checks.length + asks.length > 0 ? [...turn.asks, ...checks, ...asks] : turn.asks;
    const reads = this.#agenda.due(now.mono, this.#startUp.phase.kind === "reading");
    const isIdle = sends.length + all.length + reads.length + inputs.length === 0;
    return isIdle ? NO_WORK : { sends, asks: all, reads, inputs };
  }

  /** A fill that was answered has moved money then, and moves none when history shows it: that needs no second look. */
  #movesMoney({ event }: Step): boolean {
    if (event.kind === "movement") return event.report.kind === "departed";
    if (event.kind !== "report" || event.report.kind !== "filled") return false;
    if (event.report.confirmed) return !this.#answered.delete(event.clientOrderId);
    this.#answered.add(event.clientOrderId);
    return true;
  }
}
