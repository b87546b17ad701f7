// What was paid to others within the run, exactly, by kind: for trades, for mints and for rails, those that are taken off what
// arrives included, and without what was given back.
// Formula: sum of fee * rate for each kind, rounded up

import { Money, Price } from "../../src/domain/money/money.ts";
import type { RunRecord, Settlement } from "../record/run-record.ts";
import { type Figure, known, mapFigure, notAvailable } from "./basis/figure.ts";
import { feeWorth, fillMoney } from "./basis/fill-money.ts";

export type Fees = {
  readonly trade: Money;
  /** Undefined where the run has no treasury. */
  readonly mint: Money | undefined;
  readonly rail: Money | undefined;
  readonly total: Money;
};

export function fees(record: RunRecord): Figure<Fees> {
  const { currency } = record.settings;
  return mapFigure(tradeFees(record), (trade) =>
    mapFigure(
      settlementFees(record, (kind) => kind === "mint"),
      (mint) =>
        mapFigure(
          settlementFees(record, (kind) => kind !== "mint"),
          (rail) =>
            known({
              trade,
              mint,
              rail,
              total: Money.sum([trade, ...(mint ? [mint] : []), ...(rail ? [rail] : [])], currency),
            }),
        ),
    ),
  );
}

function tradeFees({ fills, settings: { currency } }: RunRecord): Figure<Money> {
  let total = Money.zero(currency);
  for (const money of fillMoney(fills)) {
    const worth = feeWorth(money, currency);
    if (worth === undefined) return notAvailable(`a fee in ${money.fee.asset} has no rate in ${currency}`);
    total = total.plus(worth);
  }
  return known(total);
}

function settlementFees(
  { settlements, settings: { currency, from, to } }: RunRecord,
  counts: (kind: Settlement["kind"]) => boolean,
): Figure<Money | undefined> {
  if (settlements === undefined) return known(undefined);
  let total = Money.zero(currency);
  const paid = settlements.flatMap(({ kind, fees }) => (counts(kind) ? fees : []));
  for (const { at, amount, asset, rate } of paid) {
    // What was on its way when the run began was paid for before it.
    if (at < from || at > to) continue;
    if (rate === undefined) return notAvailable(`a fee in ${asset} has no rate in ${currency}`);
    total = total.plus(Money.of(amount, asset).valued(Price.of(rate), currency, "up"));
  }
  return known(total);
}
