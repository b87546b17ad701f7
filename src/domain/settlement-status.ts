// The settlement status of a mint, a rail or a payment. One rule for all of them: the statuses of the contract count in any
// case; any other is unknown, is waited for like `held` and shown to the letter.

export type SettlementStatus = "pending" | "held" | "rejected" | "settled" | "unknown";

const STATUSES: ReadonlyMap<string, SettlementStatus> = new Map([
  ["pending", "pending"],
  ["held", "held"],
  ["rejected", "rejected"],
  ["settled", "settled"],
  ["completed", "settled"],
]);

export function settlementOf(status: string): SettlementStatus {
  return STATUSES.get(status.toLowerCase()) ?? "unknown";
}

/** Kept back by the venue: a person has to see to it. */
export function isHeld(status: string | undefined): status is string {
  return status !== undefined && settlementOf(status) === "held";
}
