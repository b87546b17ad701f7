// What one call to the executor comes to, gathered on the way. A halt is said once, and again only after some minutes: the
// same rows come back with every answer, and whoever resumes without mending the cause is stopped anew.

import type { Asset } from "../domain/asset.ts";
import type { Control, ReportEvent } from "../domain/event.ts";
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

export class Harvest implements Effects {
  readonly records: JournalRecord[] = [];
  readonly reports: ReportEvent[] = [];
  readonly controls: Control[] = [];
  readonly asks: Ask[] = [];

  /** Doubts come before confirmations: one request serves both. */
  ask(witness: Witness, asset: Asset | undefined, priority: Ask["class"]): void {
    const index = this.asks.findIndex((ask) => ask.witness === witness && ask.asset === asset);
    const known = this.asks[index];
    if (known === undefined) this.asks.push({ witness, asset, class: priority });
    else if (priority === "doubt" && known.class !== "doubt") this.asks[index] = { witness, asset, class: priority };
  }
}

export const NO_EFFECTS: Effects = Object.freeze({
  records: Object.freeze([]),
  reports: Object.freeze([]),
  controls: Object.freeze([]),
  asks: Object.freeze([]),
});
