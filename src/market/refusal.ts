// Why a price is invalid, by name. Text must match our usual number grammar: digits and a point.

/** Each is a known mistake of feeds; none is ever corrected. */
export type Refusal = "not a number" | "a comma for a point" | "zero" | "negative" | "crossed" | "outside its band";

/** The plausible range of a pair's price, both ends included; configured by hand. */
export type Band = { readonly low: number; readonly high: number };

const DECIMAL = /^-?[0-9]{1,15}(\.[0-9]{1,18})?$/;
const COMMA = /^-?[0-9]{1,15}(,[0-9]+)+(\.[0-9]+)?$/;

/** Parses a price as written by a feed; NaN if invalid, and `whyUnread` gives the reason. */
export function readPrice(raw: unknown): number {
  if (typeof raw === "number") return raw;
  return typeof raw === "string" && DECIMAL.test(raw) ? Number(raw) : Number.NaN;
}

export function whyUnread(raw: unknown): Refusal | undefined {
  if (typeof raw === "string" && COMMA.test(raw)) return "a comma for a point";
  const value = readPrice(raw);
  return Number.isFinite(value) ? undefined : "not a number";
}

/** Checks a bid and an ask on their own. */
export function whyNoQuote(bid: number, ask: number): Refusal | undefined {
  if (!(Number.isFinite(bid) && Number.isFinite(ask))) return "not a number";
  if (bid === 0 || ask === 0) return "zero";
  if (bid < 0 || ask < 0) return "negative";
  return bid > ask ? "crossed" : undefined;
}

export function whyNotIn(value: number, { low, high }: Band): Refusal | undefined {
  return value >= low && value <= high ? undefined : "outside its band";
}
