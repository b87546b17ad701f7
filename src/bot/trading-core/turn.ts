// The result of one input: records, requests to send, questions to ask, and messages for people.

import type { Event } from "../../domain/event.ts";
import type { RailsRecord } from "../../domain/rail.ts";
import type { Refusal, Step } from "../../domain/step.ts";
import type { Ask, Effects } from "../../execution/effects.ts";
import type { JournalRecord } from "../../journal/record.ts";
import type { Approval } from "../../risk/treasury-gate.ts";
import { frozenText } from "./person-notes.ts";

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

/** Collects the effects of the executor. */
export class Draft implements Turn, Effects {
  readonly records: JournalRecord[] = [];
  readonly steps: Step[] = [];
  readonly sends: Approval[] = [];
  readonly asks: Ask[] = [];
  readonly notes: string[] = [];
  readonly warnings: string[] = [];
  refusal: Refusal | undefined = undefined;
  /** Events for the engine; `heard` counts those it has processed. */
  readonly told: Event[] = [];
  heard = 0;
  /** The strategy received a report of one of its orders. */
  isHeard = false;

  record(record: JournalRecord): void {
    this.records.push(record);
  }

  rails(record: RailsRecord): void {
    this.records.push(record);
    if (record.state === "frozen") this.notes.push(frozenText(record));
  }

  tell(event: Event): void {
    this.told.push(event);
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
