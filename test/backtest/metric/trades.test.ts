import { expect, test } from "vitest";
import { fillRate } from "../../../backtest/metric/execution.ts";
import { profitOverHolding } from "../../../backtest/metric/profit.ts";
import { closedTrips, roundTrips } from "../../../backtest/metric/round-trips.ts";
import { exposure, pairFigures } from "../../../backtest/metric/trades.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import { backtestOf, MINUTE, pegArbitrage } from "../stage.ts";
import { CHF, DAY, HOUR, type SmallFill, smallRun, T0 } from "./small-run.ts";

test("the fill rate is of orders that the venue decided; ends are counted by reason", () => {
  const unfilled = (
    ["unfilled-price", "unfilled-price", "unfilled-depth", "rejected", "not-sent", "doubt"] as const
  ).map((end) => ({ end }));
  const run = smallRun({ fills: Array(4).fill({ base: "1", quote: "1" }), unfilled });
  // 4 filled of 4 + 2 + 1 + 1; one not sent and one in doubt stand apart
  expect(fillRate(run)).toEqual({
    kind: "known",
    value: {
      rate: 0.5,
      filled: 4,
      orders: 10,
      ends: {
        "unfilled-price": 2,
        "unfilled-depth": 1,
        unfilled: 0,
        rejected: 1,
        "not-sent": 1,
        released: 0,
        doubt: 1,
      },
    },
  });
  expect(fillRate(smallRun({ unfilled: [{ end: "not-sent" }, { end: "not-sent" }] }))).toEqual({
    kind: "n/a",
    reason: "the venue decided none of 2 orders: 2 not-sent, 0 doubt",
  });
  expect(fillRate(smallRun({}))).toEqual({ kind: "n/a", reason: "there are no orders" });
});

test("exposure is the part of equity that rests on each issuer, by time", () => {
  const record = smallRun({ days: 4 });
  const held = (asset: string, ...amounts: number[]) => ({
    asset: asset as Asset,
    held: Float64Array.from(amounts),
    inFlight: new Float64Array(3),
    rate: Float64Array.of(NaN, 1.25, 1.25),
  });
  const samples = {
    length: 3,
    time: Float64Array.of(T0, T0 + DAY, T0 + 3 * DAY),
    equity: Float64Array.of(1_000, 1_000, 1_000),
    benchmark: Float64Array.of(1_000, 1_000, 1_000),
    assets: [held("GBP", 0, 1, 1), held("VGBP", 0, 160, 80), held("VCHF", 0, 0, 80), held("USDC", 0, 0, 40)],
  };
  // The venue: a day at 0, three at 160 * 1.25 / 1000; Circle: one of four days at 5 %
  expect(exposure({ ...record, samples })).toEqual({
    kind: "known",
    value: [
      { issuer: "venue", mean: expect.closeTo(0.15, 12), most: expect.closeTo(0.2, 12) },
      { issuer: "Circle", mean: expect.closeTo(0.0125, 12), most: expect.closeTo(0.05, 12) },
    ],
  });
  expect(exposure(record)).toMatchObject({ kind: "n/a" });
});

test("each pair has its own sums, and says where its prices came from", () => {
  const run = smallRun({
    settings: { recordedPairs: ["VCHF/CHF" as PairSymbol] },
    fills: [
      { symbol: "VGBP/GBP", side: "sell", base: "100", quote: "101", fair: 1, rate: "1.25", realised: "2" },
      { base: "100", quote: "99", fair: 1 },
      { base: "100", quote: "100" },
    ],
    unfilled: [{ end: "unfilled-price" }],
  });
  expect(pairFigures(run)).toEqual([
    {
      ...{ symbol: "VGBP/GBP", prices: "synthetic", fills: 1, buys: 0, sells: 1, unfilled: 0 },
      // 101 GBP at 1.25 CHF; (1.01 - 1) * 100 * 1.25 of it, 99.0099 bp
      ...{ turnover: 126.25, captured: expect.closeTo(1.25, 12), capturedBps: expect.closeTo(10_000 / 101, 9) },
      realised: Money.of("2.5", CHF),
    },
    {
      ...{ symbol: "VCHF/CHF", prices: "recorded", fills: 2, buys: 2, sells: 0, unfilled: 1 },
      // Only the first was judged: 1 CHF of 99
      ...{ turnover: 199, captured: expect.closeTo(1, 12), capturedBps: expect.closeTo(10_000 / 99, 9) },
      realised: Money.zero(CHF),
    },
  ]);
  const journal = smallRun({ fills: [{ symbol: "VGBP/GBP", base: "1", quote: "1", rate: undefined, realised: "1" }] });
  expect(pairFigures(journal)).toMatchObject([{ prices: undefined, turnover: 0, capturedBps: undefined }]);
  expect(pairFigures(journal)[0]?.realised).toBeUndefined();
});

test("round trips close the oldest lot first, in any pair of the coin, with their holding times", () => {
  // buys 100 at 0.999 and 100 at 0.998; sells 150 at 1.001: 100 for +0.2 after 3 h, 50 for +0.15 after 2 h; 50 stay open
  const buy = (hour: number, quote: string): SmallFill => ({ at: T0 + hour * HOUR, base: "100", quote, fair: 1 });
  const sell = (hour: number, base: string, quote: string): SmallFill => {
    return { at: T0 + hour * HOUR, side: "sell", base, quote, fair: 1 };
  };
  const fills = [buy(0, "99.9"), buy(1, "99.8"), sell(3, "150", "150.15")];
  expect(roundTrips(smallRun({ fills }))).toEqual({ kind: "n/a", reason: "needs at least 10 round trips, was 2" });
  expect(closedTrips(smallRun({ fills })).trips.map(({ bps }) => bps)).toEqual(
    [20, 30].map((bps) => expect.closeTo(bps, 6)),
  );
  // then 50 and 100 sold short at a loss of 0.001 each when bought back, one coin at a time
  const short = sell(4, "60", "60.06");
  const back = Array.from({ length: 10 }, (_, place) => ({ ...buy(5 + place, "1.002"), base: "1" }));
  expect(roundTrips(smallRun({ fills: [...fills, short, ...back] }))).toEqual({
    kind: "known",
    value: {
      count: 13,
      // 100 * 0.002, 50 * 0.003, 50 * 0.003, 10 * (1.001 - 1.002)
      winRate: 3 / 13,
      profitFactor: expect.closeTo(0.5 / 0.01, 6),
      profit: expect.closeTo(0.2 + 0.15 + 0.15 - 0.01, 9),
      heldMsMedian: 4 * HOUR,
      heldMsLongest: 10 * HOUR,
      open: [],
    },
  });
});

test("a fee makes both ends of a round trip worse, and a currency that rises makes neither better", () => {
  // bought and sold at fair value, 1.06 and 1.10 CHF a coin, with a fee of 0.1 % of each: 10 * (0.999 - 1.001) * 1.10 CHF
  const fills = Array.from({ length: 20 }, (_, row): SmallFill => {
    const [side, rate] = row < 10 ? (["buy", "1.06"] as const) : (["sell", "1.10"] as const);
    return { symbol: "VGBP/GBP", side, rate, base: "1", quote: "1", fee: ["0.001", "GBP"], fair: 1 };
  });
  expect(roundTrips(smallRun({ fills }))).toMatchObject({
    value: { count: 10, winRate: 0, profit: expect.closeTo(-10 * 0.002 * 1.1, 9) },
  });
});

test("pairs add up to the profit over holding", () => {
  const { record } = backtestOf(pegArbitrage({ edgeBps: 0, skewBps: 0 }), 30 * MINUTE);
  const over = profitOverHolding(record);
  if (over.kind === "n/a") throw new Error(over.reason);
  const pairs = pairFigures(record);
  expect(pairs.length).toBeGreaterThan(0);
  const sum = pairs.reduce((total, { profit }) => total + (profit?.toNumber() ?? Number.NaN), 0);
  expect(sum).toBeCloseTo(over.value.toNumber(), 9);
});
