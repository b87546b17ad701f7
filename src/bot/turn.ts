// The result of one input: records, requests to send, questions to ask, and messages for people.

import type { Control, Event } from "../domain/event.ts";
import type { MintIntent } from "../domain/mint.ts";
import type { RailIntent, RailsRecord } from "../domain/rail.ts";
import type { OrderIntent, Refusal, Step } from "../domain/step.ts";
import { millis, mono } from "../domain/time.ts";
import type { Ask, Effects } from "../execution/effects.ts";
import type { ExecutorView } from "../execution/executor.ts";
import type { Moment, MoneyRequest } from "../execution/request.ts";
import type { JournalRecord, ReceiptRecord, ResolutionRecord } from "../journal/record.ts";
import { ACKNOWLEDGE } from "../risk/rail-guard.ts";
import type { Approval } from "../risk/treasury-gate.ts";
import { isWish, linesOf } from "../treasury/approval/plan-content.ts";

/** Nothing in it is acted on before its records are on disk. */
export type Turn = {
  readonly records: readonly JournalRecord[];
  /** In processing order; steps that are not recorded are left out. */
  readonly steps: readonly Step[];
  readonly sends: readonly Approval[];
  readonly asks: readonly Ask[];
  /** Sentences for people. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  /** Why the mint or rail of this turn was refused. */
  readonly refusal?: Refusal | undefined;
};

const NEVER: Moment = { at: millis(Number.NaN), mono: mono(Number.NaN) };

/** Collects the effects of the executor. */
export class Draft implements Turn, Effects {
  readonly records: JournalRecord[] = [];
  readonly steps: Step[] = [];
  readonly sends: Approval[] = [];
  readonly asks: Ask[] = [];
  readonly notes: string[] = [];
  readonly warnings: string[] = [];
  refusal: Refusal | undefined = undefined;
  /** When the input came. */
  now: Moment = NEVER;
  /** The strategy received a report of one of its orders. */
  isHeard = false;
  readonly #events: Event[] = [];

  record(record: JournalRecord): void {
    this.records.push(record);
  }

  rails(record: RailsRecord): void {
    this.records.push(record);
    if (record.state === "frozen") this.notes.push(frozenText(record));
  }

  /** An event for the engine. */
  tell(event: Event): void {
    this.#events.push(event);
  }

  /** The next of them. */
  heard(): Event | undefined {
    return this.#events.length === 0 ? undefined : this.#events.shift();
  }

  /** A control for the engine. */
  control(control: Control): void {
    this.tell({ kind: "control", control, receivedAt: this.now.at });
  }

  refuse(message: string): void {
    this.refusal = { rule: "", limit: "", value: "", message };
  }

  note(text: string): void {
    this.notes.push(text);
  }

  step(step: Step): void {
    this.records.push({ kind: "step", at: step.at, step });
    this.steps.push(step);
  }

  /** One request serves all callers of a turn, and takes the urgency of a doubt among them. */
  ask(ask: Ask): void {
    const known = this.asks.findIndex(({ witness, asset }) => witness === ask.witness && asset === ask.asset);
    if (known < 0) this.asks.push(ask);
    else if (ask.class === "doubt") this.asks[known] = ask;
  }

  isEmpty(): boolean {
    const { records, asks, notes, warnings, refusal } = this;
    return records.length + asks.length + notes.length + warnings.length === 0 && refusal === undefined;
  }
}

/**
 * A turn without effects. Made by the same class as any other turn, so that code reading turns is compiled for one
 * shape.
 */
export const QUIET: Turn = new Draft();

function frozenText({ reason }: Pick<RailsRecord, "reason">): string {
  return `rails are frozen: ${reason}; ${ACKNOWLEDGE}`;
}

export function personNote(record: JournalRecord, executor: Pick<ExecutorView, "get">): string | undefined {
  switch (record.kind) {
    case "rails":
      if (record.state === "frozen") return frozenText(record);
      return record.state === "released" ? `rails may be used again, by ${record.by}: ${record.reason}` : undefined;
    case "plan":
      // A plan of the planner that a command started is reported by its results.
      return isWish(record) ? `plan ${record.id} proposed by ${record.by}: ${linesOf(record).join("; ")}` : undefined;
    case "approval":
      return `plan ${record.id} approved by ${record.by}`;
    case "plan-progress":
      return record.state === "declined" ? `plan ${record.id} declined by ${record.by}: ${record.text}` : undefined;
    case "resolution":
      return resolutionNote(record, executor);
    default:
      return undefined;
  }
}

function resolutionNote(
  { id, verdict, reason, by }: ResolutionRecord,
  executor: Pick<ExecutorView, "get">,
): string | undefined {
  const request = executor.get(id);
  // Results of evidence are reported where they are found.
  const isPersons = by !== "bot" && verdict.kind !== "escalated";
  if (request === undefined || !isPersons) return undefined;
  const done = request.kind === "order" ? "filled" : "landed";
  const how = verdict.kind === "landed" ? `${done}, ${venueIdOf(verdict.receipt)}` : `not ${done}`;
  return `${titleOf(request)}, was closed as ${how}, by ${by}: ${reason}`;
}

function titleOf({ id, kind, request }: MoneyRequest): string {
  if (kind === "order") {
    const { side, quantity, symbol, limit } = request as OrderIntent;
    return `${id}, ${side} ${quantity} ${symbol} at ${limit}`;
  }
  if (kind === "mint") {
    const { quantity, asset, blockchain } = request as MintIntent;
    return `${id}, mint of ${quantity} ${asset} on ${blockchain}`;
  }
  const { type, asset, blockchain } = request as RailIntent;
  return `${id}, rail ${type} of ${asset} on ${blockchain}`;
}

function venueIdOf(receipt: ReceiptRecord): string {
  if (receipt.kind === "mint") return `request ${receipt.mint.requestId}`;
  return receipt.kind === "rail" ? `rail ${receipt.rail.railId}` : `order ${receipt.fill.orderId}`;
}
