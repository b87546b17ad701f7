// A journal counts in one currency: its days, peaks and turnover are amounts of it, and no rate of then is known.

import type { Asset } from "../domain/asset.ts";

export class OtherCurrency extends Error {
  override readonly name = "OtherCurrency";
}

export function requireCurrency(counted: string, currency: Asset): void {
  if (counted !== currency)
    throw new OtherCurrency(
      `the journal counts in ${counted}, and the limits are in ${currency}: equity, peak and turnover of both cannot be one; set risk.currency back to ${counted}, or give journal.path another place and begin there with pegbot adopt`,
    );
}
