// Fills that closed something, and what each brought in the currency at average cost and after fees.

import type { Asset } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import type { Fills } from "../../record/run-record.ts";
import { type Figure, known, notAvailable } from "./figure.ts";
import { fillMoney } from "./fill-money.ts";

export type ClosedTrades = { readonly results: readonly Money[]; readonly sum: Money };

/** Not available when some result has no rate: a sum that leaves trades out would be somebody else's. */
export function closedTrades(fills: Fills, currency: Asset): Figure<ClosedTrades> {
  const results: Money[] = [];
  let unpriced = 0;
  for (const { realised, rate } of fillMoney(fills)) {
    if (realised === undefined) continue;
    if (realised.asset === currency) results.push(realised);
    else if (rate !== undefined) results.push(realised.valued(rate, currency, "down"));
    else unpriced++;
  }
  if (unpriced > 0) return notAvailable(`${unpriced} closing fills have no rate in ${currency}`);
  return known({ results, sum: Money.sum(results, currency) });
}
