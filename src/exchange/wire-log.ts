// What the client noticed beside its answers: fields that no schema asked for, and how far our clock is from the
// venue's. Bounded, and never a reason to fail.

import type { Answer } from "./attempt.ts";
import type { Notes } from "./shape.ts";

export type WireReport = {
  /** Our clock minus the venue's Date; the Date is cut to the second, so anything from 0 to 1,000 is no skew. */
  readonly skewMs: number | undefined;
  /** `accountBalance.colour` and the like, with how often they came. */
  readonly unknownFields: ReadonlyMap<string, number>;
};

const FIELDS_MAX = 500;

export function createWireLog() {
  const unknownFields = new Map<string, number>();
  let skewMs: number | undefined;
  return {
    add(path: string, notes: Notes, answer: Answer | undefined): void {
      const call = path.slice(path.lastIndexOf("/") + 1);
      for (const [field, count] of notes.unknown) {
        const before = unknownFields.get(`${call}.${field}`);
        if (before !== undefined || unknownFields.size < FIELDS_MAX)
          unknownFields.set(`${call}.${field}`, (before ?? 0) + count);
      }
      if (answer?.at !== undefined) skewMs = answer.receivedAt - answer.at;
    },
    report: (): WireReport => ({ skewMs, unknownFields: new Map(unknownFields) }),
  };
}
