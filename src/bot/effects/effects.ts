// The effects of a turn that is on disk: orders to send, witnesses to ask, lists to read, inputs to process next. Plain
// data, so that the running bot and a backtest start the same work.

import type { Event, OrderReport, REJECTION_CODES } from "../../domain/event.ts";
import type { ClientOrderId } from "../../domain/order.ts";
import type { Decision, Step } from "../../domain/step.ts";
import type { Question } from "../../execution/dispatch.ts";
import type { Moment } from "../../execution/request.ts";
import { isPersons } from "../../risk/trading-state.ts";
import type { Approval } from "../../risk/treasury-gate.ts";
import type { Engine } from "../engine.ts";
import type { Input } from "../input.ts";
import type { Turn } from "../turn.ts";
import type { PollSchedule, Read } from "./poll-schedule.ts";
import type { StartUp } from "./startup.ts";

export type Work = {
  readonly sends: readonly Approval[];
  readonly asks: readonly Question[];
  readonly reads: readonly Read[];
  readonly inputs: readonly Input[];
};

/** Checked after a person's stop: no unknown request of this bot may be in flight. */
const STOP_CHECKS: readonly Question[] = [
  { witness: "orders", asset: undefined, class: "kill-check" },
  { witness: "trades", asset: undefined, class: "kill-check" },
];

const NOTHING: readonly never[] = [];
export const NO_WORK: Work = Object.freeze({ sends: NOTHING, asks: NOTHING, reads: NOTHING, inputs: NOTHING });

/**
 * The venue's rejection codes for an order that followed an outdated list of pairs: its minimum, its decimals, the pair
 * itself.
 */
const OFF_GRID: ReadonlySet<string> = new Set([
  "bad-request",
  "invalid-order",
  "unknown-symbol",
  "below-minimum",
  "unknown-code",
] satisfies (typeof REJECTION_CODES)[number][]);

function isOffGrid(report: OrderReport): boolean {
  return report.kind === "rejected" && OFF_GRID.has(report.code);
}

/**
 * Refused because of the list of pairs. The refusal itself questions the list, because some venues have no quotes that
 * could contradict it.
 */
function isOffList({ verdict }: Decision): boolean {
  return verdict.kind === "refused" && verdict.refusal.rule === "PR02";
}

export class TurnEffects {
  private readonly startUp: StartUp;
  private readonly polls: PollSchedule;
  private wasStopped = false;
  /** Orders whose fill was in the answer but is not in history yet. */
  private readonly answered = new Set<ClientOrderId>();

  constructor(startUp: StartUp, polls: PollSchedule) {
    this.startUp = startUp;
    this.polls = polls;
  }

  /** While the bot is stopping, it starts nothing beyond what was already approved. */
  after(input: Input, turn: Turn, core: Engine, now: Moment, isStopping: boolean): Work {
    const { sends, steps } = turn;
    if (input.kind === "unquoted") this.startUp.isUnquoted = true;
    for (let i = 0; i < steps.length; i++) {
      const { event, decisions } = steps[i] as Step;
      if (decisions.some(isOffList)) this.polls.questioned();
      // A core that is rebuilt later must not trade without the quotes that came in between.
      if (event.kind === "quote" && event.source === "venue") this.startUp.isUnquoted = false;
      if (this.movesMoney(event)) this.polls.moved();
      else if (event.kind === "report" && isOffGrid(event.report)) this.polls.outdated();
    }
    if (isStopping) return { sends, asks: NOTHING, reads: NOTHING, inputs: NOTHING };
    const isStopped = isPersons(core.books.counters.tradingState);
    if (!this.startUp.isOver || isStopped !== this.wasStopped) return this.unusual(input, turn, core, now);
    const reads = this.reads(now, false);
    const { asks } = turn;
    if (sends.length === 0 && asks.length === 0 && reads.length === 0) return NO_WORK;
    return { sends, asks, reads, inputs: NOTHING };
  }

  /** At the start, and when a person halts or resumes the bot. */
  private unusual(input: Input, turn: Turn, core: Engine, now: Moment): Work {
    const isStopped = isPersons(core.books.counters.tradingState);
    const checks = isStopped && !this.wasStopped ? STOP_CHECKS : NOTHING;
    this.wasStopped = isStopped;
    const { asks, inputs } = this.startUp.after(input, core, now);
    const reads = this.reads(now, !this.startUp.isCompared);
    return { sends: turn.sends, asks: [...turn.asks, ...checks, ...asks], reads, inputs };
  }

  private reads({ mono }: Moment, isStarting: boolean): readonly Read[] {
    return mono < this.polls.nextAt ? NOTHING : this.polls.due(mono, isStarting);
  }

  /** A fill in an answer moves money then; its confirmation in history moves none and needs no second balance read. */
  private movesMoney(event: Event): boolean {
    // Read once, because events have many shapes.
    const { kind } = event;
    if (kind !== "report") return kind === "movement" && event.report.kind === "departed";
    if (event.report.kind !== "filled") return false;
    const wasAnswered = this.answered.delete(event.clientOrderId);
    if (event.report.confirmed) return !wasAnswered;
    this.answered.add(event.clientOrderId);
    return true;
  }
}
