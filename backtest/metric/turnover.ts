// What was traded, exactly, in the currency; and how many times a day it turned equity over.
// Formula: sum of |quote leg| * rate at the decision; that / time-weighted mean equity / days since the books opened

import { Money } from "../../src/domain/money/money.ts";
import type { RunRecord } from "../record/run-record.ts";
import { type Figure, known, notAvailable } from "./basis/figure.ts";
import { fillMoney } from "./basis/fill-money.ts";
import { daysOpen } from "./basis/opened-at.ts";
import { worthGap } from "./basis/worth-gap.ts";

export type Turnover = { readonly total: Money; readonly perDay: number | undefined };

export function turnover(record: RunRecord): Figure<Turnover> {
  const { fills, samples } = record;
  const { currency, to } = record.settings;
  let total = Money.zero(currency);
  for (const { quote, rate } of fillMoney(fills)) {
    if (quote.asset !== currency && rate === undefined)
      return notAvailable(`${quote.asset} has no rate in ${currency}`);
    total = total.plus(
      rate === undefined ? Money.of(quote.toString(), currency) : quote.valued(rate, currency, "down"),
    );
  }
  const equity = worthGap(record) === undefined ? meanEquity(samples, to) : NaN;
  const daily = total.toNumber() / equity / daysOpen(record);
  return known({ total, perDay: Number.isFinite(daily) ? daily : undefined });
}

/** Each sample holds until the next: they are many where much is traded. */
function meanEquity({ length, time, equity }: RunRecord["samples"], to: number): number {
  let [weighted, knownMs] = [0, 0];
  for (let row = 0; row < length; row++) {
    const worth = equity[row] as number;
    if (Number.isNaN(worth)) continue;
    const spanMs = (row + 1 < length ? (time[row + 1] as number) : to) - (time[row] as number);
    weighted += worth * spanMs;
    knownMs += spanMs;
  }
  return weighted / knownMs;
}
