// A venue that states one leg of a fill with the fee in it: with the switch the fill is read as it was traded, from the answer and from
// the list, and without it the answer is never taken.

import { expect, test } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { withFeeOutside } from "../../src/domain/order.ts";
import { insideOf } from "../../src/exchange/profile.ts";

const [VCHF, CHF] = ["VCHF", "CHF"] as [Asset, Asset];
const PAIR = "VCHF/CHF" as PairSymbol;
const of = (bought: string, sold: string, fee: string, isBuy: boolean, feeAsset: Asset) => ({
  bought: Money.of(bought, isBuy ? VCHF : CHF),
  sold: Money.of(sold, isBuy ? CHF : VCHF),
  fee: Money.of(fee, feeAsset),
});

test.each([
  // 100 at 1.0005 are 100.05, and 0.10 of fee.
  ["quote", true, of("100", "100.15", "0.1", true, CHF), of("100", "100.05", "0.1", true, CHF)],
  ["quote", false, of("99.95", "100", "0.1", false, CHF), of("100.05", "100", "0.1", false, CHF)],
  ["base", true, of("99.9", "100.05", "0.1", true, VCHF), of("100", "100.05", "0.1", true, VCHF)],
  ["base", false, of("100.05", "100.1", "0.1", false, VCHF), of("100.05", "100", "0.1", false, VCHF)],
  // A fee in the other asset, and one of nothing, are in no leg.
  ["quote", true, of("100", "100.05", "0.1", true, VCHF), of("100", "100.05", "0.1", true, VCHF)],
  ["quote", true, of("100", "100.05", "0", true, CHF), of("100", "100.05", "0", true, CHF)],
  ["none", true, of("100", "100.15", "0.1", true, CHF), of("100", "100.15", "0.1", true, CHF)],
] as const)("feeInside: %s, a buy: %s", (inside, _buy, stated, traded) => {
  expect(withFeeOutside(stated, insideOf(PAIR, inside))).toEqual(traded);
});
