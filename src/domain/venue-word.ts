// The venue's word of how far a mint, a rail or a payment is. One rule for all of them: the words of its contract, whatever
// their case, mean something; any other word is unknown, is waited for like `held` and shown to the letter.

export type VenueWord = "pending" | "held" | "rejected" | "settled" | "unknown";

const WORDS: ReadonlyMap<string, VenueWord> = new Map([
  ["pending", "pending"],
  ["held", "held"],
  ["rejected", "rejected"],
  ["settled", "settled"],
  ["completed", "settled"],
]);

export function wordOf(status: string): VenueWord {
  return WORDS.get(status.toLowerCase()) ?? "unknown";
}

/** Kept back by the venue: a person has to see to it. */
export function isHeld(status: string | undefined): status is string {
  return status !== undefined && wordOf(status) === "held";
}
