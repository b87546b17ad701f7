// Why a price is invalid, by name. Text must match our usual number grammar: digits and a point. A number that would be
// right inverted, or a hundred times smaller or larger, is named as such.

/** Each is a known mistake of feeds; none is ever corrected. */
export type Refusal =
  | "not a number"
  | "a comma for a point"
  | "zero"
  | "negative"
  | "crossed"
  | "locked"
  | "inverted"
  | "a hundred times too large"
  | "a hundred times too small"
  | "outside its band";

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

/** Checks a bid and an ask on their own. `onePrice`: the source reports one price instead of two. */
export function whyNoQuote(bid: number, ask: number, onePrice = false): Refusal | undefined {
  if (!(Number.isFinite(bid) && Number.isFinite(ask))) return "not a number";
  if (bid === 0 || ask === 0) return "zero";
  if (bid < 0 || ask < 0) return "negative";
  if (bid > ask) return "crossed";
  return bid === ask && !onePrice ? "locked" : undefined;
}

/**
 * Checks a valid price against the pair's configured band and against a measure that it must be near, NaN if there is
 * none.
 */
export function whyBeyond(
  value: number,
  band: Band | undefined,
  measure: number,
  reachBps: number,
): Refusal | undefined {
  const byHand = band && whyNotIn(value, band);
  const reach = reachBps / 1e4;
  if (byHand !== undefined || !(Math.abs(value / measure - 1) > reach)) return byHand;
  return whyNotIn(value, { low: measure * (1 - reach), high: measure * (1 + reach) });
}

/** Checks a valid price against the pair's plausible range. */
export function whyNotIn(value: number, { low, high }: Band): Refusal | undefined {
  const fits = (price: number): boolean => price >= low && price <= high;
  if (fits(value)) return undefined;
  if (fits(1 / value)) return "inverted";
  if (fits(value / 100)) return "a hundred times too large";
  return fits(value * 100) ? "a hundred times too small" : "outside its band";
}
