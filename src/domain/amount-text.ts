// Formats exact amounts for people: thousands separated, two decimals. Further digits are only hidden.

const DECIMALS = 2;

/** `1,234.56`; a dash if undefined. */
export function amountText(exact: string | undefined, decimals = DECIMALS): string {
  if (exact === undefined) return "-";
  const [, sign = "", whole = "0", fraction = ""] = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(exact) ?? [];
  const shown = `${groupedText(whole)}.${fraction.slice(0, decimals).padEnd(decimals, "0")}`;
  // No minus zero.
  return /[1-9]/.test(shown) ? sign + shown : shown;
}

/** All digits, with thousands separated: `4,039.191552 GBP`, for amounts that people approve. */
export function groupedText(exact: string): string {
  return exact.replace(/^-?[0-9]+/, (whole) => whole.replace(/\B(?=([0-9]{3})+$)/g, ","));
}

/** The significant digits of a quantity: one unit of a coin may be worth a lot. */
const DIGITS = 6;

/** A quantity with six significant digits, and at least two decimals: `0.00412345`. */
export function quantityText(exact: string | undefined): string {
  const [, whole = "0", fraction = ""] = /^-?([0-9]+)(?:\.([0-9]+))?$/.exec(exact ?? "") ?? [];
  const leading = whole === "0" ? (/^0*/.exec(fraction)?.[0].length ?? 0) : -whole.length;
  const counting = fraction.slice(0, Math.max(DECIMALS, leading + DIGITS)).replace(/0+$/, "");
  return amountText(exact, Math.max(DECIMALS, counting.length));
}

/** Six decimals, or as many as a small price needs. */
export function priceText(price: number): string {
  if (price === 0 || Math.abs(price) >= 0.01) return price.toFixed(6);
  return price.toFixed(Math.min(18, 3 - Math.floor(Math.log10(Math.abs(price)))));
}

/** The same with a sign, for gains and losses. */
export function changeText(exact: string | undefined): string {
  const text = amountText(exact);
  return /^[0-9]/.test(text) && /[1-9]/.test(text) ? `+${text}` : text;
}

/** The average gain of a request, with its sign: four decimals, or as many as show two digits of a small one. */
export function perRequestText(value: number): string {
  const size = Math.abs(value);
  const text = value.toFixed(size === 0 || size >= 0.001 ? 4 : Math.min(18, 1 - Math.floor(Math.log10(size))));
  return value > 0 ? `+${text}` : text;
}
