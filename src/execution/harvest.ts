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
  declare records: readonly JournalRecord[];
  declare reports: readonly (ReportEvent | MovementEvent)[];
  declare controls: readonly Control[];
  declare asks: readonly Ask[];

  constructor() {
    this.records = NOTHING;
    this.reports = NOTHING;
    this.controls = NOTHING;
    this.asks = NOTHING;
  }

  record(record: JournalRecord): void {
    if (this.records === NOTHING) this.records = [record];
    else (this.records as JournalRecord[]).push(record);
  }

  report(report: ReportEvent | MovementEvent): void {
    if (this.reports === NOTHING) this.reports = [report];
    else (this.reports as (ReportEvent | MovementEvent)[]).push(report);
  }

  control(control: Control): void {
    this.controls = [...this.controls, control];
  }

  /** Doubts come before confirmations: one request serves both. */
  ask(witness: Witness, asset: Asset | undefined, priority: Ask["class"]): void {
    const ask: Ask = { witness, asset, class: priority };
    if (this.asks === NOTHING) {
      this.asks = [ask];
      return;
    }
    const known = this.asks.find((one) => one.witness === witness && one.asset === asset);
    if (known === undefined) (this.asks as Ask[]).push(ask);
    else if (priority === "doubt" && known.class !== "doubt")
      this.asks = this.asks.map((one) => (one === known ? ask : one));
  }
}

export const NO_EFFECTS: Effects = Object.freeze({
  records: NOTHING,
  reports: NOTHING,
  controls: NOTHING,
  asks: NOTHING,
});
