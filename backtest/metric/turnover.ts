// What was traded, exactly, in the currency; and how many times a day it turned equity over.
// Formula: sum of |quote leg| * rate at the decision; that / mean equity / days of the run

import { Money } from "../../src/domain/money/money.ts";
import type { RunRecord } from "../record/run-record.ts";
import { type Figure, known, notAvailable } from "./basis/figure.ts";
import { sumOfKnown } from "./basis/fill-edges.ts";
import { fillMoney } from "./basis/fill-money.ts";

export type Turnover = { readonly total: Money; readonly perDay: number | undefined };

export function turnover({ fills, samples, settings: { currency, from, to } }: RunRecord): Figure<Turnover> {
  let total = Money.zero(currency);
  for (const { quote, rate } of fillMoney(fills)) {
    if (quote.asset !== currency && rate === undefined)
      return notAvailable(`${quote.asset} has no rate in ${currency}`);
    total = total.plus(
      rate === undefined ? Money.of(quote.toString(), currency) : quote.valued(rate, currency, "down"),
    );
  }
  const equity = sumOfKnown(samples.equity);
  const daily = total.toNumber() / (equity.sum / equity.count) / ((to - from) / 86_400_000);
  return known({ total, perDay: Number.isFinite(daily) ? daily : undefined });
}
