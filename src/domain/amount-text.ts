// Exact amounts as people read them: thousands apart, two decimals. What is cut off is only not shown.

const DECIMALS = 2;

/** `1,234.56`; a dash where nothing is known. */
export function amountText(exact: string | undefined, decimals = DECIMALS): string {
  if (exact === undefined) return "-";
  const [, sign = "", whole = "0", fraction = ""] = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(exact) ?? [];
  const shown = `${groupedText(whole)}.${fraction.slice(0, decimals).padEnd(decimals, "0")}`;
  // Minus nothing is nothing.
  return /[1-9]/.test(shown) ? sign + shown : shown;
}

/** All its digits, with the thousands of its whole part apart: `4,039.191552 GBP`, for what people approve. */
export function groupedText(exact: string): string {
  return exact.replace(/^-?[0-9]+/, (whole) => whole.replace(/\B(?=([0-9]{3})+$)/g, ","));
}

/** Digits that count, of an amount of an asset: a coin may be worth a fortune. */
const DIGITS = 6;

/** Of an asset: six digits that count and two decimals at least. `0.00412345`. */
export function quantityText(exact: string | undefined): string {
  const [, whole = "0", fraction = ""] = /^-?([0-9]+)(?:\.([0-9]+))?$/.exec(exact ?? "") ?? [];
  const leading = whole === "0" ? (/^0*/.exec(fraction)?.[0].length ?? 0) : -whole.length;
  const counting = fraction.slice(0, Math.max(DECIMALS, leading + DIGITS)).replace(/0+$/, "");
  return amountText(exact, Math.max(DECIMALS, counting.length));
}

/** Six decimals, and for a small price as many as it needs. */
export function priceText(price: number): string {
  if (price === 0 || Math.abs(price) >= 0.01) return price.toFixed(6);
  return price.toFixed(Math.min(18, 3 - Math.floor(Math.log10(Math.abs(price)))));
}

/** The same with its sign, for what was gained or lost. */
export function changeText(exact: string | undefined): string {
  const text = amountText(exact);
  return /^[0-9]/.test(text) && /[1-9]/.test(text) ? `+${text}` : text;
}

/** With its sign: what a request earned on average is a small figure, and a signal. */
export function perRequestText(value: number): string {
  const text = value.toFixed(4);
  return value > 0 ? `+${text}` : text;
}
