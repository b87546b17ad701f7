// What one call to the executor comes to, gathered on the way. A halt is said once, and again only after some minutes: the
// same rows come back with every answer, and whoever resumes without mending the cause is stopped anew.

import type { Asset } from "../domain/asset.ts";
import type { Control, ReportEvent } from "../domain/event.ts";
import type { MovementEvent } from "../domain/movement.ts";
import type { Mono } from "../domain/time.ts";
import type { JournalRecord } from "../journal/record.ts";
import type { Ask, Effects } from "./executor.ts";
import type { Witness } from "./submission.ts";

const REPEAT_MS = 300_000;
/** Reasons kept; beyond it they are forgotten and may be said again. */
const ALARMS_MAX = 1_000;

export class Alarms {
  readonly #saidAt = new Map<string, Mono>();

  isNews(reason: string, now: Mono): boolean {
    const saidAt = this.#saidAt.get(reason);
    if (saidAt !== undefined && now - saidAt < REPEAT_MS) return false;
    if (this.#saidAt.size >= ALARMS_MAX) this.#saidAt.clear();
    this.#saidAt.set(reason, now);
    return true;
  }

  clear(): void {
    if (this.#saidAt.size > 0) this.#saidAt.clear();
  }
}

const NOTHING: readonly never[] = Object.freeze([]);

/** Lists are made when there is something to put into them: most calls have one or two of the four. */
export class Harvest implements Effects {
  records: readonly JournalRecord[] = NOTHING;
  reports: readonly (ReportEvent | MovementEvent)[] = NOTHING;
  controls: readonly Control[] = NOTHING;
  asks: readonly Ask[] = NOTHING;

  record(record: JournalRecord): void {
    this.records = added(this.records, record);
  }

  report(report: ReportEvent | MovementEvent): void {
    this.reports = added(this.reports, report);
  }

  control(control: Control): void {
    this.controls = added(this.controls, control);
  }

  /** Doubts come before confirmations: one request serves both. */
  ask(witness: Witness, asset: Asset | undefined, priority: Ask["class"]): void {
    const isSame = (ask: Ask): boolean => ask.witness === witness && ask.asset === asset;
    const known = this.asks.find(isSame);
    const ask: Ask = { witness, asset, class: priority };
    if (known === undefined) this.asks = added(this.asks, ask);
    else if (priority === "doubt" && known.class !== "doubt")
      this.asks = this.asks.map((one) => (one === known ? ask : one));
  }
}

function added<T>(list: readonly T[], item: T): readonly T[] {
  if (list === NOTHING) return [item];
  (list as T[]).push(item);
  return list;
}

export const NO_EFFECTS: Effects = Object.freeze({
  records: NOTHING,
  reports: NOTHING,
  controls: NOTHING,
  asks: NOTHING,
});
