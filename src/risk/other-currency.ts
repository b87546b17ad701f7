// A journal counts in one currency: its days, peaks and turnover are amounts of it, and the rates of the past are
// unknown.

import type { Asset } from "../domain/asset.ts";

export class OtherCurrency extends Error {
  override readonly name = "OtherCurrency";
}

export function requireCurrency(counted: string, currency: Asset): void {
  const other = otherCurrency(counted, currency);
  if (other !== undefined) throw new OtherCurrency(`${other.cause}; ${other.next}`);
}

/** Undefined if the currency is the same. */
function otherCurrency(
  counted: string,
  currency: string,
): { readonly cause: string; readonly next: string } | undefined {
  if (counted === currency) return undefined;
  return {
    cause: `the journal counts in ${counted}, and the limits are in ${currency}: equity, peak and turnover of both cannot be one`,
    next: `set risk.currency back to ${counted}, or give journal.path another place and begin there with pegbot adopt`,
  };
}
