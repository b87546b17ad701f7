// The venue's statuses in the words that the rest of the code compares: `Filled` and `Rejected` of orders and trades,
// those of src/domain/venue-word.ts of mints, rails and payments. Case does not matter; the profile's `statuses` gives
// further words a meaning. A word without one stays as it is, so that it can be named.

export const MEANINGS = ["Filled", "Rejected", "pending", "held", "settled"] as const;
type Meaning = (typeof MEANINGS)[number];

export type Reword = (status: string) => string;

type StatusWords = { readonly history: Reword; readonly settlement: Reword };

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
