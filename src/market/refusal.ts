// Why a price cannot be one, by name. What is read as text passes the same grammar as everything of ours: digits and a
// point. A number that would be right turned over, or a hundred times smaller or larger, is called what it is.

/** Each is a mistake that feeds make; none of them is ever mended. */
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

/** What a price of a pair can be, both ends included; set by hand. */
export type Band = { readonly low: number; readonly high: number };

const DECIMAL = /^-?[0-9]{1,15}(\.[0-9]{1,18})?$/;
const COMMA = /^-?[0-9]{1,15}(,[0-9]+)+(\.[0-9]+)?$/;

/** A price as a feed wrote it; NaN when it is none, and `whyUnread` says why. */
export function readPrice(raw: unknown): number {
  if (typeof raw === "number") return raw;
  return typeof raw === "string" && DECIMAL.test(raw) ? Number(raw) : Number.NaN;
}

export function whyUnread(raw: unknown): Refusal | undefined {
  if (typeof raw === "string" && COMMA.test(raw)) return "a comma for a point";
  const value = readPrice(raw);
  return Number.isFinite(value) ? undefined : "not a number";
}

/** Of a bid and an ask by themselves. `onePrice`: the source has one price where others have two. */
export function whyNoQuote(bid: number, ask: number, onePrice = false): Refusal | undefined {
  if (!(Number.isFinite(bid) && Number.isFinite(ask))) return "not a number";
  if (bid === 0 || ask === 0) return "zero";
  if (bid < 0 || ask < 0) return "negative";
  if (bid > ask) return "crossed";
  return bid === ask && !onePrice ? "locked" : undefined;
}

/** Of a price that is one: what its pair can cost is set by hand, or is near a measure of it, which is NaN where there is none. */
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

/** Of a price that is one, measured with what its pair can cost. */
export function whyNotIn(value: number, { low, high }: Band): Refusal | undefined {
  const fits = (price: number): boolean => price >= low && price <= high;
  if (fits(value)) return undefined;
  if (fits(1 / value)) return "inverted";
  if (fits(value / 100)) return "a hundred times too large";
  return fits(value * 100) ? "a hundred times too small" : "outside its band";
}
