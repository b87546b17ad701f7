// What came of one input: what is to be recorded, sent and asked, and what people are told.

import type { Event } from "../../domain/event.ts";
import type { RailsRecord } from "../../domain/rail.ts";
import type { Refusal, Step } from "../../domain/step.ts";
import type { Ask, Effects } from "../../execution/effects.ts";
import type { JournalRecord } from "../../journal/record.ts";
import type { Approval } from "../../risk/treasury-gate.ts";
import { frozenText } from "./other-processes.ts";

/** Nothing of it is acted on before its records are on disk. */
export type Turn = {
  readonly records: readonly JournalRecord[];
  /** In the order in which they were taken; what is not recorded is left out. */
  readonly steps: readonly Step[];
  readonly sends: readonly Approval[];
  readonly asks: readonly Ask[];
  /** For people, in sentences. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  /** Why the mint or rail that this turn was about may not be. */
  readonly refusal?: Refusal | undefined;
};

/** Takes the effects of the executor as they come. */
export class Draft implements Turn, Effects {
  readonly records: JournalRecord[] = [];
  readonly steps: Step[] = [];
  readonly sends: Approval[] = [];
  readonly asks: Ask[] = [];
  readonly notes: string[] = [];
  readonly warnings: string[] = [];
  refusal: Refusal | undefined = undefined;
  /** For the engine, which has heard so many of them. */
  readonly told: Event[] = [];
  heard = 0;
  /** The strategy heard what became of an order of its own. */
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

  /** One request serves all who ask within a turn, and is as urgent as a doubt among them. */
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

/** Nothing came of it. Of the same make as any other turn: who reads turns is compiled for one shape. */
export const QUIET: Turn = new Draft();
