// The settlement status of a mint, a rail or a payment, by one rule: the statuses of the contract are known; any other
// is unknown, waits like `held`, and is shown verbatim.

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

/** Held by the venue: a person has to act. */
export function isHeld(status: string | undefined): status is string {
  return status !== undefined && settlementOf(status) === "held";
}
