import { mean, sampleStandardDeviation } from "simple-statistics";
import { expect, test } from "vitest";
import {
  cagr,
  calmar,
  drawdown,
  periodReturns,
  periods,
  probabilisticSharpe,
  sharpe,
  sharpeOverHolding,
  sortino,
  tailLoss,
  totalReturn,
  volatility,
} from "../../../backtest/metric/returns.ts";
import { worthSeries } from "../../../backtest/metric/worth.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { millis } from "../../../src/domain/time.ts";
import { DAY, HOUR, type SmallRun, smallRun, T0 } from "./small-run.ts";

const seriesOf = (run: SmallRun) => worthSeries(smallRun(run));
const byDay = (values: readonly number[]) => seriesOf({ equity: values.map((value, day) => [T0 + day * DAY, value]) });

/** Equity that makes these returns, a day each. */
function grown(returns: readonly number[]): number[] {
  const equity = [1_000];
  for (const value of returns) equity.push((equity.at(-1) as number) * (1 + value));
  return equity;
}

// -0.004, 0.003, -0.001, 0.006, 0.002, -0.002, ... 25 days; the literals below were worked out in Python from this list,
// with the statistics module and math.erfc.
const RETURNS = Array.from({ length: 25 }, (_, day) => (((day * 7) % 11) - 4) / 1_000);
const returns = periodReturns(byDay(grown(RETURNS)));

test("volatility, Sharpe, Sortino and probabilistic Sharpe agree with Python's statistics", () => {
  expect(volatility(returns)).toEqual(near(0.061928386060029));
  expect(sharpe(returns, 0)).toEqual(near(4.718353223621261));
  expect(sharpe(returns, 0.02)).toEqual(near(4.3953995464397915));
  expect(sortino(returns, 0)).toEqual(near(8.71183699894023));
  expect(sortino(returns, 0.02)).toEqual(near(7.9732024065087845));
  expect(probabilisticSharpe(returns, 0)).toEqual(near(0.8863200549954398));
});

test("Sharpe and volatility agree with another library on 50 random series", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = createRandom(seed);
    const drawn = Array.from({ length: 20 + seed }, () => 0.001 + 0.01 * random.normal());
    const found = periodReturns(byDay(grown(drawn)));
    const annual = Math.sqrt(365.25);
    expect(volatility(found), `seed ${seed}`).toEqual(near(sampleStandardDeviation(drawn) * annual));
    expect(sharpe(found, 0), `seed ${seed}`).toEqual(near((mean(drawn) / sampleStandardDeviation(drawn)) * annual));
  }
});

test("what holding would have returned counts neither way in the ratio over holding", () => {
  // Equity moves exactly as the benchmark and gains 0.001 or 0.002 in turn beside it: mean 0.0015, and 20 such returns
  // have a standard deviation of 0.0005 * sqrt(20 / 19); 0.0015 / that * sqrt(365.25) = 55.8804...
  const market = [0.02, -0.03, 0.01, -0.005];
  let [equity, benchmark] = [1_000, 1_000];
  const rows: [number, number, number][] = [[T0, equity, benchmark]];
  for (let day = 1; day <= 20; day++) {
    const move = market[day % 4] as number;
    equity *= 1 + move + (day % 2 === 0 ? 0.002 : 0.001);
    benchmark *= 1 + move;
    rows.push([T0 + day * DAY, equity, benchmark]);
  }
  const expected = (0.0015 / (0.0005 * Math.sqrt(20 / 19))) * Math.sqrt(365.25);
  const returns = periodReturns(seriesOf({ equity: rows }));
  expect(sharpeOverHolding(returns, 10)).toEqual(near(expected));
  // One fill and its price from then on say nothing of a strategy.
  expect(sharpeOverHolding(returns, 1)).toEqual({ kind: "n/a", reason: "needs at least 10 fills, was 1" });
});

test("growth a year is hidden under 30 days and compounds from there on", () => {
  const lasting = (days: number) =>
    seriesOf({
      equity: [
        [T0, 100],
        [T0 + days * DAY, 101],
      ],
    });
  expect(totalReturn(lasting(29))).toEqual(near(0.01));
  expect(cagr(lasting(29.9))).toEqual({ kind: "n/a", reason: "needs at least 30 days, was 29" });
  // 1.01 ^ 12.175 - 1, 12.175 = 365.25 / 30
  expect(cagr(lasting(30))).toEqual(near(1.01 ** 12.175 - 1));
  expect(calmar(lasting(30))).toEqual({ kind: "n/a", reason: "equity never fell below a peak" });
  expect(calmar(lasting(29))).toMatchObject({ kind: "n/a", reason: "needs at least 30 days, was 29" });
  expect(totalReturn(seriesOf({ equity: [[T0, 100]] }))).toMatchObject({ kind: "n/a" });
});

test("calmar is growth a year for the deepest fall", () => {
  const series = seriesOf({
    equity: [
      [T0, 100],
      [T0 + 10 * DAY, 95],
      [T0 + 365.25 * DAY, 110],
    ],
  });
  // grew 10 % in the year, fell 5 %
  expect(calmar(series)).toEqual(near(2));
});

test("the deepest fall has a size, its dates and its recovery, and the longest one may be another", () => {
  // 100 -> 110 peak on day 1; 99 on day 2 (10 %); back at 110 on day 4; 121 on day 5; 115 on days 6 to 9 (4.96 %), never back
  const found = drawdown(byDay([100, 110, 99, 105, 110, 121, 115, 116, 117, 118]));
  expect(found).toEqual({
    kind: "known",
    value: {
      size: expect.closeTo(0.1, 12),
      peakAt: T0 + DAY,
      troughAt: T0 + 2 * DAY,
      recoveredAt: T0 + 4 * DAY,
      durationMs: 3 * DAY,
      longestMs: 4 * DAY,
    },
  });
});

test("value at risk is the loss that one period in twenty exceeds, CVaR the mean of those", () => {
  // 41 days of -20 to +20 per mille in some order: the 5 % quantile is the third lowest, -18; mean of -20, -19, -18 is -19
  const drawn = Array.from({ length: 41 }, (_, day) => (((day * 17) % 41) - 20) / 1_000);
  expect(tailLoss(periodReturns(byDay(grown(drawn))))).toEqual({
    kind: "known",
    value: { periodMs: DAY, valueAtRisk: expect.closeTo(0.018, 9), conditional: expect.closeTo(0.019, 9) },
  });
});

test("money that people put in is no return and hides no fall", () => {
  const adopted = [{ at: millis(T0 + DAY), sample: 1, amounts: [], value: "100" }];
  // 100 -> 90 is a fall of 10 %, though 100 more came in on that day: equity says 190; then 190 -> 209 is 10 % up
  const series = seriesOf({
    equity: [
      [T0, 100, 100],
      [T0 + DAY, 190, 200],
      [T0 + 2 * DAY, 209, 200],
    ],
    books: { adopted },
  });
  expect([...series.growth]).toEqual([1, expect.closeTo(0.9, 12), expect.closeTo(0.99, 12)]);
  expect([...series.holding]).toEqual([1, 1, 1]);
});

test("samples without an equity are left out", () => {
  const series = seriesOf({
    equity: [
      [T0, 100, 100],
      [T0 + DAY, NaN, 100],
      [T0 + 2 * DAY, 110, 100],
    ],
  });
  expect([...series.time]).toEqual([T0, T0 + 2 * DAY]);
});

test("months and days are cut by the calendar in UTC and count their fills", () => {
  const start = Date.UTC(2026, 0, 30, 12);
  const equity = [100, 101, 101, 102.01, 104.0502].map((value, half): [number, number] => [
    start + half * 12 * HOUR,
    value,
  ]);
  const fills = { length: 3, time: Float64Array.of(start, start + 20 * HOUR, start + 40 * HOUR) };
  // samples: 30 Jan 12:00 100, 24:00 101 | 31 Jan 12:00 101, 24:00 102.01 | 1 Feb 12:00 104.0502
  expect(periods(seriesOf({ equity }), fills)).toEqual({
    kind: "known",
    value: {
      months: [
        { from: Date.UTC(2026, 0), return: expect.closeTo(0.0201, 12), holding: expect.closeTo(0.0201, 12), fills: 2 },
        { from: Date.UTC(2026, 1), return: expect.closeTo(0.02, 12), holding: expect.closeTo(0.02, 12), fills: 1 },
      ],
      days: [
        { from: Date.UTC(2026, 0, 30), return: expect.closeTo(0.01, 12), holding: expect.closeTo(0.01, 12), fills: 1 },
        { from: Date.UTC(2026, 0, 31), return: expect.closeTo(0.01, 12), holding: expect.closeTo(0.01, 12), fills: 1 },
        {
          from: Date.UTC(2026, 1, 1),
          return: expect.closeTo(0.02, 12),
          holding: expect.closeTo(0.02, 12),
          fills: 1,
        },
      ],
    },
  });
  expect(periods(seriesOf({ equity: [] }), { length: 0, time: new Float64Array() })).toMatchObject({ kind: "n/a" });
});

function near(value: number) {
  return { kind: "known", value: expect.closeTo(value, 9) };
}
