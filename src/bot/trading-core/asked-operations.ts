// What was asked for under an id, for a day and a bit: an id that is older is refused before it comes here.

import { DAY_MS } from "../../domain/time.ts";
import type { OperationRecord } from "../../journal/record.ts";

const KEPT_MS = DAY_MS + 3_600_000;

export class AskedOperations {
  /** Oldest first. */
  readonly #byId = new Map<string, OperationRecord>();

  get(id: string): OperationRecord | undefined {
    return this.#byId.get(id);
  }

  fold(record: OperationRecord): void {
    for (const [id, { at }] of this.#byId) {
      if (record.at - at < KEPT_MS) break;
      this.#byId.delete(id);
    }
    this.#byId.set(record.id, record);
  }
}
