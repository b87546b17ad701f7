// Which of two values of one limit lets less through. Limits are compared by their name in a configuration
// (`risk.orderValueMax`); what is no bound that rules alone go by has no order, and is taken over by a restart only.

/** `unordered`: they differ, and neither is known to let less through. */
export type Comparison = "same" | "tighter" | "wider" | "unordered";

type Value = string | number | undefined;

/** Of every other limit less is tighter. */
const MORE_IS_TIGHTER: ReadonlySet<string> = new Set([
  "risk.depegAssumedBps",
  "risk.referenceSourcesMin",
  "risk.rejectFreezeMs",
  "risk.lossFreezeMs",
  "risk.duplicateWindowMs",
  "risk.offsetWindowMs",
  "risk.reserveBpsMin",
  "risk.rampOrders",
]);

/** Not read by rules: amounts are counted in it, holdings are marked by them. */
const AT_START: ReadonlySet<string> = new Set(["risk.currency", "risk.markAgeMsMax", "risk.markHaircutBps"]);

/** Absent ones let nothing through, where any other absent limit is none. */
const PERMITS = /^risk\.(symbols|exit)\./;
const ORDERED = /^(risk|treasury\.mint)\./;

/** What `to` is, compared with `from`. */
export function compareLimit(name: string, from: Value, to: Value): Comparison {
  if (from === to) return "same";
  if (!ORDERED.test(name) || AT_START.has(name)) return "unordered";
  const [one, other] = [room(name, from), room(name, to)];
  // Both of no bound, in other words.
  if (one === other) return Number.isFinite(one) ? "unordered" : "same";
  if (Number.isNaN(one) || Number.isNaN(other)) return "unordered";
  return other < one === !MORE_IS_TIGHTER.has(name) ? "tighter" : "wider";
}

function room(name: string, value: Value): number {
  if (value === "listed") return 1;
  const isOff = typeof value === "string" && value.startsWith("off: ");
  if (!isOff && value !== undefined) return Number(value);
  if (PERMITS.test(name)) return 0;
  return MORE_IS_TIGHTER.has(name) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
