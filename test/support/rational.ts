// Exact fractions of bigints, written without looking at the money types: the second opinion about every sum, product,
// quotient and rounding. Slow and obvious on purpose.

export type Rational = { readonly over: bigint; readonly under: bigint };

/** Any decimal text, with an exponent or without. */
export function rational(text: string): Rational {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text);
  if (!match) throw new Error(`not a decimal: ${text}`);
  const [, minus, whole, fraction = "", exponent = "0"] = match as unknown as [
    string,
    string,
    string,
    string?,
    string?,
  ];
  const digits = BigInt(whole + fraction) * (minus ? -1n : 1n);
  const shift = Number(exponent) - fraction.length;
  return shift >= 0
    ? { over: digits * 10n ** BigInt(shift), under: 1n }
    : { over: digits, under: 10n ** BigInt(-shift) };
}

export function add(a: Rational, b: Rational): Rational {
  return { over: a.over * b.under + b.over * a.under, under: a.under * b.under };
}

export function subtract(a: Rational, b: Rational): Rational {
  return { over: a.over * b.under - b.over * a.under, under: a.under * b.under };
}

export function multiply(a: Rational, b: Rational): Rational {
  return { over: a.over * b.over, under: a.under * b.under };
}

export function divide(a: Rational, b: Rational): Rational {
  return b.over < 0n
    ? { over: -a.over * b.under, under: -(a.under * b.over) }
    : { over: a.over * b.under, under: a.under * b.over };
}

export function compare(a: Rational, b: Rational): -1 | 0 | 1 {
  const difference = a.over * b.under - b.over * a.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Its text on a grid of so many decimals, toward minus infinity or plus infinity, without needless zeros. */
export function textOf(a: Rational, decimals: number, rounding: "down" | "up"): string {
  const scaled = a.over * 10n ** BigInt(decimals);
  const remainder = ((scaled % a.under) + a.under) % a.under;
  const floor = (scaled - remainder) / a.under;
  const steps = rounding === "up" && remainder !== 0n ? floor + 1n : floor;
  const sign = steps < 0n ? "-" : "";
  const digits = String(steps < 0n ? -steps : steps).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, "");
  return sign + digits.slice(0, point) + (fraction && `.${fraction}`);
}
