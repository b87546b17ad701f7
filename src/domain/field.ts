// The field types of schemas. Each refuses with its rule, and the reader adds path and value: "must be a whole number
// from 0 to 65535", "was 70000".

import { z } from "zod";
import { parseAsset, parseSymbol } from "./asset.ts";
import { Quantity } from "./money/money.ts";

export function wholeNumber(low: number, high: number, about: string, of = "") {
  const error = `must be a whole number ${of}from ${low} to ${high}`;
  return z.number({ error }).int({ error }).min(low, { error }).max(high, { error }).describe(about);
}

/** A duration. Ranges stay within a factor of 1,000, so that seconds given for milliseconds are always refused. */
export function milliseconds(low: number, high: number, about: string) {
  return wholeNumber(low, high, about, "of milliseconds ");
}

/**
 * A share in 1/10000. Ranges stay within a factor of 100, so that percent given for basis points are always refused.
 */
export function basisPoints(low: number, high: number, about: string) {
  return wholeNumber(low, high, about, "of basis points (1/10000) ");
}

/** Money in a file is text: YAML would turn it into a float. */
export function amount(low: string, high: string, about: string) {
  const least = Quantity.of(low);
  const most = Quantity.of(high);
  const error = `must be a quoted decimal from "${low}" to "${high}"`;
  return z
    .string({ error })
    .meta({ description: `${about}; a quoted decimal from "${low}" to "${high}"`, amount: { low, high } })
    .transform((text, context) => {
      const parsed = Quantity.parse(text);
      if (parsed.ok && parsed.value.atLeast(least) && parsed.value.atMost(most)) return parsed.value;
      context.addIssue({ code: "custom", message: error, input: text });
      return z.NEVER;
    });
}

export function assetName(about: string) {
  return checkedText(about, (text) => parseAsset(text).ok, "must be an asset: 2 to 12 of A-Z and 0-9");
}

export function pairSymbol(about: string) {
  return checkedText(about, (text) => parseSymbol(text).ok, "must be a symbol like BASE/QUOTE");
}

function checkedText(about: string, fits: (text: string) => boolean, error: string) {
  return z.string({ error }).refine(fits, { error }).describe(about);
}
