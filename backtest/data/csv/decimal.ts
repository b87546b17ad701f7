// Decimal text that the quick loop of the scanner gives up on: many digits, exponents, quotes, blanks, or no number at all.

const DECIMAL = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$/;
const WITH_COMMA = /^[+-]?[0-9]+,[0-9]+$/;

export type SlowDecimal =
  | { readonly kind: "value"; readonly value: number }
  | { readonly kind: "empty" }
  | { readonly kind: "comma" }
  /** Where decimal commas were declared: it may be one of thousands. */
  | { readonly kind: "point" }
  | { readonly kind: "wrong" };

/** Blanks around a number and quotes around a field are layout. */
export function slowDecimal(field: string, decimalComma: boolean): SlowDecimal {
  const bare = field.trim();
  const text = bare.startsWith('"') && bare.endsWith('"') && bare.length > 1 ? bare.slice(1, -1).trim() : bare;
  if (text === "") return { kind: "empty" };
  if (decimalComma && text.includes(".") && DECIMAL.test(text)) return { kind: "point" };
  const pointed = decimalComma ? text.replace(",", ".") : text;
  // A number with a thousands point beside a decimal comma fails here, as it should.
  if (DECIMAL.test(pointed)) return { kind: "value", value: Number(pointed) };
  return { kind: WITH_COMMA.test(text) ? "comma" : "wrong" };
}
