import { expect, test } from "vitest";
import { fees, netProfit, profitOverHolding } from "../../../backtest/metric/profit.ts";
import { turnover } from "../../../backtest/metric/trades.ts";
import type { Holding, Settlement } from "../../../backtest/record/run-record.ts";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import { millis } from "../../../src/domain/time.ts";
import { CHF, DAY, smallRun, T0 } from "./small-run.ts";

const chf = (amount: string) => ({ kind: "known", value: Money.of(amount, CHF) });
const holding = (asset: string, amount: string, rate?: string): Holding => ({ asset: asset as Asset, amount, rate });

test("profit is exact where floats are not", () => {
  const run = smallRun({
    books: { opening: [holding("CHF", "0.1", "1")], closing: [holding("CHF", "0.300000000000000001", "1")] },
  });
  // 0.3 - 0.1 in floats is 0.19999999999999998, and the last digit would be lost
  expect(netProfit(run)).toEqual(chf("0.200000000000000001"));
});

test("profit leaves out what people paid in; profit over holding also leaves out what rates did", () => {
  const run = smallRun({
    books: {
      opening: [holding("CHF", "1000", "1"), holding("GBP", "100", "1.1")],
      closing: [holding("CHF", "800", "1"), holding("GBP", "300", "1.2")],
      adopted: [{ at: millis(T0), sample: 1, amounts: [{ asset: "GBP" as Asset, amount: "10" }], value: "11.5" }],
    },
  });
  // closing 800 + 360 = 1160; opening 1000 + 110 = 1110; 1160 - 1110 - 11.5
  expect(netProfit(run)).toEqual(chf("38.5"));
  // held all along: 1000 + (100 + 10) * 1.2 = 1132; 1160 - 1132
  expect(profitOverHolding(run)).toEqual(chf("28"));
});

test("without a rate of something held there is no profit, by name", () => {
  const closing = [holding("CHF", "1", "1"), holding("GBP", "1")];
  expect(netProfit(smallRun({ books: { closing } }))).toEqual({ kind: "n/a", reason: "GBP has no rate in CHF" });
  expect(netProfit(smallRun({ books: { closing: [holding("GBP", "0")] } }))).toEqual(chf("0"));
  const adopted = [{ at: millis(T0), sample: 1, amounts: [], value: undefined }];
  expect(netProfit(smallRun({ books: { adopted } }))).toEqual({
    kind: "n/a",
    reason: "something was adopted that had no rate",
  });
});

test("fees of trades are exact in the currency, whichever asset they were taken in", () => {
  const run = smallRun({
    fills: [
      { base: "100", quote: "99", fee: ["0.01", "CHF"] },
      // one pound is 1.25 francs: 0.04 * 1.25 = 0.05
      { symbol: "VGBP/GBP", base: "100", quote: "100", fee: ["0.04", "GBP"], rate: "1.25" },
      // taken in base, bought at 200 / 100 = 2: 0.5 * 2 * 1.25 = 1.25
      { symbol: "VGBP/GBP", base: "100", quote: "200", fee: ["0.5", "VGBP"], rate: "1.25" },
      { base: "100", quote: "99" },
    ],
  });
  expect(fees(run)).toEqual({
    kind: "known",
    value: { trade: Money.of("1.31", CHF), mint: undefined, rail: undefined, total: Money.of("1.31", CHF) },
  });
});

test("fees are split by kind where there is a treasury", () => {
  const settlement = (kind: Settlement["kind"], fee: string): Settlement => ({
    kind,
    id: kind,
    asset: "VGBP" as Asset,
    amount: "1",
    fees: [
      { at: millis(T0), amount: fee, asset: "GBP" as Asset, rate: "1.5" },
      // Before the run: paid in another one.
      { at: millis(T0 - 1), amount: "1000", asset: "GBP" as Asset, rate: "1.5" },
    ],
    from: millis(T0),
    to: undefined,
    state: "in flight",
  });
  const settlements = [settlement("mint", "10"), settlement("on-ramp", "2"), settlement("off-ramp", "4")];
  const run = smallRun({ fills: [{ base: "1", quote: "1", fee: ["1", "CHF"] }], settlements });
  // 10 * 1.5 = 15; (2 + 4) * 1.5 = 9; 1 + 15 + 9
  expect(fees(run)).toMatchObject({
    value: { mint: Money.of("15", CHF), rail: Money.of("9", CHF), total: Money.of("25", CHF) },
  });
});

test("turnover is the quote legs in the currency, and by day for the equity there was", () => {
  const run = smallRun({
    days: 2,
    equity: [
      [T0, 100],
      [T0 + DAY, 200],
    ],
    fills: [
      { base: "100", quote: "99.5" },
      { symbol: "VGBP/GBP", side: "sell", base: "100", quote: "100.5", rate: "1.2" },
    ],
  });
  // 99.5 + 100.5 * 1.2 = 220.1; equity at the end 200; 220.1 / 200 / 2 days
  expect(turnover(run)).toEqual({
    kind: "known",
    value: { total: Money.of("220.1", CHF), perDay: expect.closeTo(220.1 / 400, 12) },
  });
  expect(turnover(smallRun({}))).toEqual({ kind: "known", value: { total: Money.zero(CHF), perDay: undefined } });
});
