// Plans as the journal knows them, and what this process adds to them within a turn.

import type { PlanProgress, PlanRecord } from "../../journal/record.ts";
import { titleOf } from "../approval/plan-content.ts";
import { PlanLog } from "../approval/plan-log.ts";
import type { Hands } from "./steward.ts";

export class PlanBook {
  readonly log = new PlanLog();
  readonly #writer: string;

  constructor(writer: string) {
    this.#writer = writer;
  }

  /** What this process writes is no news to it. */
  write(record: PlanRecord | PlanProgress, hands: Hands): void {
    hands.record(record);
    this.log.fold({ record, writer: this.#writer });
  }

  progress(plan: PlanRecord, how: Pick<PlanProgress, "state" | "text" | "refusal">, hands: Hands): void {
    this.write({ kind: "plan-progress", at: hands.now.at, id: plan.id, ...how }, hands);
    hands.note(`${titleOf(plan)} ${how.state}: ${how.text}`);
  }
}
