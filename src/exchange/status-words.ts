// The venue's statuses in the words that the rest of the code compares: `Filled` and `Rejected` of orders and trades,
// those of src/domain/venue-word.ts of mints, rails and payments. Case does not matter; the profile's `statuses` gives
// further words a meaning. A word without one stays as it is, so that it can be named.

import type { ReadEndpoint } from "./endpoint/endpoint.ts";
import { mapped } from "./shape.ts";

export const MEANINGS = ["Filled", "Rejected", "pending", "held", "settled"] as const;
export type Meaning = (typeof MEANINGS)[number];

export type Reword = (status: string) => string;

export type StatusWords = { readonly history: Reword; readonly settlement: Reword };

const KNOWN: ReadonlyMap<string, Meaning> = new Map([
  ["filled", "Filled"],
  ["rejected", "Rejected"],
  ["pending", "pending"],
  ["held", "held"],
  ["settled", "settled"],
  ["completed", "settled"],
]);

export function statusWords(further: Readonly<Record<string, Meaning>> = {}): StatusWords {
  const given = new Map(Object.entries(further).map(([status, meaning]) => [status.toLowerCase(), meaning]));
  return {
    history(status) {
      const meaning = KNOWN.get(status.toLowerCase()) ?? given.get(status.toLowerCase());
      if (meaning === "Rejected") return meaning;
      // A fill is settled at once: some lists say the one word, some the other.
      return meaning === "Filled" || meaning === "settled" ? "Filled" : status;
    },
    settlement(status) {
      const meaning = given.get(status.toLowerCase());
      if (meaning === "Filled") return "settled";
      return meaning === "Rejected" ? "rejected" : (meaning ?? status);
    },
  };
}

/** May a profile give this word a meaning? Not one that has its own. */
export function isFurtherStatus(status: string): boolean {
  return !KNOWN.has(status.toLowerCase());
}

/** The list with its statuses in our words. */
export function worded<R extends { readonly status: string | undefined }>(
  endpoint: ReadEndpoint<readonly R[]>,
  reword: Reword,
): ReadEndpoint<readonly R[]> {
  const rowOf = (row: R): R => {
    const status = row.status === undefined ? undefined : reword(row.status);
    return status === row.status ? row : { ...row, status };
  };
  return { ...endpoint, answer: mapped(endpoint.answer, (rows) => rows.map(rowOf)) };
}
