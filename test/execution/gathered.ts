// What a call to the executor says, gathered in lists.

import type { Control, ReportEvent } from "../../src/domain/event.ts";
import type { MovementEvent } from "../../src/domain/movement.ts";
import type { RailsRecord } from "../../src/domain/rail.ts";
import type { Ask, Effects } from "../../src/execution/effects.ts";
import type { JournalRecord } from "../../src/journal/record.ts";

export class Gathered implements Effects {
  readonly records: JournalRecord[] = [];
  readonly reports: (ReportEvent | MovementEvent)[] = [];
  readonly controls: Control[] = [];
  readonly asks: Ask[] = [];
  readonly notes: string[] = [];

  record(record: JournalRecord): void {
    this.records.push(record);
  }

  rails(record: RailsRecord): void {
    this.record(record);
  }

  tell(event: Parameters<Effects["tell"]>[0]): void {
    if (event.kind === "control") this.controls.push(event.control);
    else this.reports.push(event);
  }

  ask(ask: Ask): void {
    this.asks.push(ask);
  }

  note(text: string): void {
    this.notes.push(text);
  }
}

export function gathered(call: (out: Effects) => void): Gathered {
  const out = new Gathered();
  call(out);
  return out;
}
