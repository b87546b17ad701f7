// What came of one input: what is to be recorded, sent and asked, and what people are told.

import type { Event } from "../../domain/event.ts";
import type { Refusal, Step } from "../../domain/step.ts";
import type { Ask } from "../../execution/effects.ts";
import type { JournalRecord } from "../../journal/record.ts";
import type { Approval } from "../../risk/movement-gate.ts";

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

/** What nothing was put into: most turns have three of the seven. */
export const NONE: readonly never[] = [];

export class Draft implements Turn {
  records: readonly JournalRecord[] = NONE;
  steps: readonly Step[] = NONE;
  sends: readonly Approval[] = NONE;
  asks: readonly Ask[] = NONE;
  notes: readonly string[] = NONE;
  warnings: readonly string[] = NONE;
  refusal: Refusal | undefined = undefined;
  /** For the engine, which has heard so many of them. */
  told: readonly Event[] = NONE;
  heard = 0;
  /** The strategy heard what became of an order of its own. */
  isHeard = false;

  tell(event: Event): void {
    this.told = joined(this.told, event);
  }

  record(record: JournalRecord): void {
    this.records = joined(this.records, record);
  }

  step(step: Step): void {
    this.record({ kind: "step", at: step.at, step });
    this.steps = joined(this.steps, step);
  }

  send(approval: Approval): void {
    this.sends = joined(this.sends, approval);
  }

  /** One request serves all who ask within a turn, and is as urgent as a doubt among them. */
  ask(ask: Ask): void {
    const asks = this.asks as Ask[];
    for (let i = 0; i < asks.length; i++) {
      const known = asks[i] as Ask;
      if (known.witness !== ask.witness || known.asset !== ask.asset) continue;
      if (ask.class === "doubt") asks[i] = ask;
      return;
    }
    this.asks = joined(asks, ask);
  }

  note(note: string): void {
    this.notes = joined(this.notes, note);
  }

  warn(warning: string): void {
    this.warnings = joined(this.warnings, warning);
  }

  isEmpty(): boolean {
    const isSilent = this.notes.length === 0 && this.warnings.length === 0;
    return this.records.length === 0 && this.asks.length === 0 && isSilent && this.refusal === undefined;
  }
}

/** Nothing came of it. Of the same make as any other turn: who reads turns is compiled for one shape. */
export const QUIET: Turn = new Draft();

/** Most have one or two: a list that grows takes room for many. */
function joined<T>(list: readonly T[], one: T): readonly T[] {
  if (list === NONE) return [one];
  if (list.length === 1) return [list[0] as T, one];
  (list as T[]).push(one);
  return list;
}
