import { expect, test } from "vitest";
import type { Figure } from "../../../../backtest/metric/figure.ts";
import { chanceAbove } from "../../../../backtest/metric/returns.ts";
import { normalCdf, normalQuantile, quantileOf } from "../../../../backtest/metric/statistics.ts";
import {
  bootstrap,
  deflatedSharpe,
  expectedBest,
  neighbourhood,
  type TrialReturns,
  tradeOrder,
} from "../../../../backtest/search/overfitting.ts";
import { type Choice, isEndOf } from "../../../../backtest/search/parameter-space.ts";
import { createRandom } from "../../../../src/domain/random.ts";

function valueIn<T>(figure: Figure<T>): T {
  if (figure.kind !== "known") throw new Error(`not available: ${figure.reason}`);
  return figure.value;
}

const drawn = (seed: number, length: number, middle = 0): Float64Array => {
  const random = createRandom(seed);
  return Float64Array.from({ length }, () => middle + 0.01 * random.normal());
};
const trialOf = (returns: Float64Array): TrialReturns => ({ returns, perYear: 250 });

test("the normal quantile gives back what the distribution function was given, and agrees with tables", () => {
  // Python: statistics.NormalDist().inv_cdf
  expect(normalQuantile(0.975)).toBeCloseTo(1.9599639845400536, 12);
  expect(normalQuantile(0.99)).toBeCloseTo(2.3263478740408408, 12);
  expect(normalQuantile(1e-9)).toBeCloseTo(-5.9978070150076865, 10);
  for (const x of [-7, -2.5, -0.1, 0, 0.7, 3.2]) expect(normalQuantile(normalCdf(x))).toBeCloseTo(x, 9);
  expect([normalQuantile(0), normalQuantile(1), normalQuantile(2)]).toEqual([-Infinity, Infinity, NaN]);
});

test("a quantile lies on the line between two numbers", () => {
  const sorted = Float64Array.from([1, 2, 4, 8]);
  // Places 0, 1.5 and 3 of 0..3.
  expect([0, 0.5, 1].map((part) => quantileOf(sorted, part))).toEqual([1, 3, 8]);
});

test("the example of Bailey and López de Prado comes out as printed: luck 0.1132 a day, chance 0.9004", () => {
  // Their section "A numerical example": 5 years of 250 days, Sharpe 2.5 a year, skewness -3, kurtosis 10; 100 trials whose
  // Sharpe ratios a year vary by 1/2.
  const luck = expectedBest(1 / 2 / 250, 100);
  expect(luck).toBeCloseTo(0.1132, 4);
  const chance = chanceAbove({ count: 1_250, ratio: 2.5 / Math.sqrt(250), skewness: -3, kurtosis: 10 }, luck);
  expect(valueIn(chance)).toBeCloseTo(0.9004, 4);
});

test("the best of many trials by luck alone looks sure when it stands alone, and is not significant among them", () => {
  const trials = Array.from({ length: 200 }, (_, seed) => trialOf(drawn(seed, 100)));
  const ratios = trials.map(({ returns }) => returns.reduce((sum, one) => sum + one, 0));
  const best = ratios.indexOf(Math.max(...ratios));
  const { chance, alone, luck, sharpe, independent } = valueIn(deflatedSharpe(trials, best));
  expect(alone).toBeGreaterThan(0.98);
  expect(chance).toBeLessThan(0.9);
  // 200 draws of a ratio whose standard deviation is 1/10 a period: about 2.75 of them, times the root of 250.
  expect(luck / Math.sqrt(250)).toBeCloseTo(0.275, 1);
  expect(sharpe).toBeGreaterThan(0);
  expect(independent).toBeGreaterThan(150);
});

test("one with a true edge among as many trials stays significant", () => {
  const trials = Array.from({ length: 200 }, (_, seed) => trialOf(drawn(seed, 100, seed === 7 ? 0.01 : 0)));
  expect(valueIn(deflatedSharpe(trials, 7)).chance).toBeGreaterThan(0.99);
});

test("sets that are truly worse count as luck, as published; what it is without them shows too", () => {
  const worse = (seed: number) => trialOf(drawn(seed, 100, seed === 0 ? 0.006 : -0.0002 * seed));
  const trials = Array.from({ length: 100 }, (_, seed) => worse(seed));
  const { chance, bounded, luck, sharpe } = valueIn(deflatedSharpe(trials, 0));
  // Ratios from 0 down to -2 vary by far more than the 1/99 that luck over 100 returns gives.
  expect(luck / Math.sqrt(250)).toBeGreaterThan(2 * expectedBest(1 / 99, 100));
  expect(sharpe / Math.sqrt(250)).toBeGreaterThan(expectedBest(1 / 99, 100));
  expect(bounded).toBeGreaterThan(0.95);
  expect(chance).toBeLessThan(0.5);
});

test("trials that are copies of each other amount to one, and all of them still count", () => {
  const noise = drawn(3, 60);
  const trials = Array.from({ length: 20 }, (_, i) => trialOf(noise.map((one) => one + 0.0001 * i)));
  const { independent, trials: counted } = valueIn(deflatedSharpe(trials, 19));
  expect(independent).toBeCloseTo(1, 9);
  expect(counted).toBe(20);
});

test("no more trials are independent than there are, also where they go against each other", () => {
  const noise = drawn(3, 60);
  const trials = Array.from({ length: 20 }, (_, i) => trialOf(noise.map((one) => (i % 2 ? one : -one) + 0.0001 * i)));
  expect(valueIn(deflatedSharpe(trials, 19)).independent).toBe(20);
});

test("too few trials, returns that do not vary and trials all alike give no number but a reason", () => {
  const few = Array.from({ length: 9 }, (_, seed) => trialOf(drawn(seed, 50)));
  expect(deflatedSharpe(few, 0)).toEqual({
    kind: "n/a",
    reason: "needs at least 10 trials with a Sharpe ratio, was 9",
  });
  const idle = Array.from({ length: 12 }, () => trialOf(new Float64Array(50)));
  expect(deflatedSharpe(idle, 0).kind).toBe("n/a");
  const alike = Array.from({ length: 12 }, () => trialOf(drawn(1, 50)));
  expect(deflatedSharpe(alike, 0)).toEqual({ kind: "n/a", reason: "Sharpe ratios of the trials do not vary" });
  const random = createRandom(1);
  expect(bootstrap(trialOf(drawn(1, 19)), random).kind).toBe("n/a");
  expect(bootstrap(trialOf(new Float64Array(30)), random).kind).toBe("n/a");
  expect(tradeOrder([1, 2, 3], random)).toEqual({ kind: "n/a", reason: "needs at least 10 closed trades, was 3" });
  const won = Array.from({ length: 12 }, (_, i) => i);
  expect(tradeOrder(won, random)).toMatchObject({ reason: "no trade lost, so in no order does the account fall" });
});

test("trials that never traded count as tried: they raise what luck shows", () => {
  const traded = Array.from({ length: 12 }, (_, seed) => trialOf(drawn(seed, 50)));
  const idle = Array.from({ length: 30 }, () => trialOf(new Float64Array(50)));
  const few = valueIn(deflatedSharpe(traded, 3));
  const many = valueIn(deflatedSharpe([...traded, ...idle], 3));
  expect(many.trials).toBe(42);
  expect(many.luck).toBeGreaterThan(few.luck);
  expect(many.chance).toBeLessThan(few.chance);
});

test("sets that a search left early count for how far ratios lie apart: those that stayed are alike", () => {
  const all = Array.from({ length: 90 }, (_, seed) => drawn(seed, 180));
  const sums = all.map((returns) => returns.reduce((sum, one) => sum + one, 0));
  const best = sums.indexOf(Math.max(...sums));
  const stays = new Set(
    sums
      .map((_, i) => i)
      .sort((one, other) => (sums[other] as number) - (sums[one] as number))
      .slice(0, 10),
  );
  const grid = valueIn(deflatedSharpe(all.map(trialOf), best));
  // A ninth of the time for sixty, of which twenty returns are left, a third for twenty.
  const lengthOf = (i: number): number => (stays.has(i) ? 180 : i % 3 === 0 ? 60 : 20);
  const halved = all.map((returns, i) => trialOf(returns.slice(0, lengthOf(i))));
  const { luck, chance, trials, independent } = valueIn(deflatedSharpe(halved, best));
  expect([trials, independent]).toEqual([90, undefined]);
  expect(luck / grid.luck).toBeCloseTo(1, 0);
  expect(luck / Math.sqrt(250)).toBeGreaterThanOrEqual(expectedBest(1 / 179, 90));
  expect(chance).toBeLessThan(grid.chance + 0.1);
  const short = all.map((returns, i) => trialOf(returns.slice(0, stays.has(i) ? 180 : 15)));
  expect(valueIn(deflatedSharpe(short, best)).luck / Math.sqrt(250)).toBeCloseTo(expectedBest(1 / 179, 90), 9);
});

test("sets of one true edge lie no further apart for having run less long", () => {
  // Each has a ratio of exactly 0.5, over 180 returns or over 20 of them; the best a little more.
  const of = (length: number, ratio: number): Float64Array =>
    Float64Array.from({ length }, (_, i) => ratio * Math.sqrt(length / (length - 1)) + (i % 2 === 0 ? 1 : -1));
  const trials = Array.from({ length: 30 }, (_, i) => trialOf(of(i < 10 ? 180 : 20, i === 0 ? 0.51 : 0.5)));
  expect(valueIn(deflatedSharpe(trials, 0)).luck / Math.sqrt(250)).toBeCloseTo(expectedBest(1 / 179, 30), 9);
  // Those that ran less long by another ratio: 20 of them at 0.9 of 20 returns, 10 at 0.5 of 180, m = (1800 * 0.5 + 400 * 0.9) / 2200.
  const apart = Array.from({ length: 30 }, (_, i) => trialOf(of(i < 10 ? 180 : 20, i < 10 ? 0.5 : 0.9)));
  const middle = (1_800 * 0.5 + 400 * 0.9) / 2_200;
  const variance = (10 * (0.5 - middle) ** 2 + ((20 * 20) / 180) * (0.9 - middle) ** 2) / 29;
  expect(valueIn(deflatedSharpe(apart, 0)).luck / Math.sqrt(250)).toBeCloseTo(expectedBest(variance, 30), 6);
});

test("drawn anew, independent returns spread as theory says, and returns that hang together spread further", () => {
  const independent = drawn(5, 400, 0.001);
  const { sharpe, growth, lossShare } = valueIn(bootstrap(trialOf(independent), createRandom(1)));
  // The standard error of a Sharpe ratio per period is about 1 / sqrt(n) = 0.05; 90 % of a normal lie within 1.645 of it.
  const width = (sharpe.high - sharpe.low) / Math.sqrt(250);
  expect(width).toBeGreaterThan(0.85 * 2 * 1.645 * 0.05);
  expect(width).toBeLessThan(1.15 * 2 * 1.645 * 0.05);
  expect(growth.low).toBeLessThan(growth.middle);
  expect(lossShare).toBeGreaterThan(0);
  // Each return is most of the one before.
  let last = 0;
  const together = drawn(6, 400).map((one) => (last = 0.9 * last + one));
  const wider = valueIn(bootstrap(trialOf(together), createRandom(1))).sharpe;
  expect((wider.high - wider.low) / Math.sqrt(250)).toBeGreaterThan(1.5 * width);
});

test("the same seed draws the same", () => {
  const returns = trialOf(drawn(5, 40));
  expect(bootstrap(returns, createRandom(1))).toEqual(bootstrap(returns, createRandom(1)));
  const results = Array.from(drawn(4, 30));
  expect(tradeOrder(results, createRandom(1))).toEqual(tradeOrder(results, createRandom(1)));
});

test("falls of other orders have the distribution that counting all orders gives", () => {
  // Five wins of 1, then five losses of 1: the fall of 5 is as deep as it gets.
  const lost = [1, 1, 1, 1, 1, -1, -1, -1, -1, -1];
  const all = ordersOf(5, 5)
    .map(fallOf)
    .sort((one, other) => one - other);
  expect(all.length).toBe(252);
  const found = valueIn(tradeOrder(lost, createRandom(1)));
  expect(found.own).toBe(5);
  // Five losses in a row, with none to five wins before: 6 of 252 orders; 2,000 draws, within four standard errors.
  expect(all.filter((fall) => fall === 5).length).toBe(6);
  expect(Math.abs(found.deeperShare - 6 / 252)).toBeLessThan(4 * Math.sqrt(6 / 252 / 2_000));
  expect([found.low, found.middle, found.high]).toEqual(
    [0.05, 0.5, 0.95].map((part) => quantileOf(Float64Array.from(all), part)),
  );
  // Wins and losses in turn: nothing falls less.
  expect(valueIn(tradeOrder([1, -1, 1, -1, 1, -1, 1, -1, 1, -1], createRandom(1))).deeperShare).toBe(1);
});

function ordersOf(wins: number, losses: number): number[][] {
  if (wins + losses === 0) return [[]];
  const after = (first: number, rest: number[][]): number[][] => rest.map((order) => [first, ...order]);
  return [
    ...(wins > 0 ? after(1, ordersOf(wins - 1, losses)) : []),
    ...(losses > 0 ? after(-1, ordersOf(wins, losses - 1)) : []),
  ];
}

function fallOf(order: readonly number[]): number {
  const sums = order.map((_, i) => order.slice(0, i + 1).reduce((sum, one) => sum + one, 0));
  return Math.max(...sums.map((sum, i) => Math.max(0, ...sums.slice(0, i + 1)) - sum));
}

function listOf(...values: number[]): Choice {
  return { kind: "list", values };
}

test("on a grid the neighbours are one step of one parameter away", () => {
  const achieved = [
    [1, 2, 3],
    [4, 10, 6],
    [7, 8, 9],
  ];
  const grid = achieved.flatMap((row, y) => row.map((value, x) => ({ values: [x * 10, y], achieved: value })));
  // Around the 10: 2, 4, 6, 8, so a mean of 5.
  const choices = [listOf(0, 10, 20), listOf(0, 1, 2)];
  expect(valueIn(neighbourhood(grid, 4, choices))).toEqual({ kept: 0.5, worst: 0.2, neighbours: 4, isAtEnd: false });
  // In the corner: 8 and 6 beside the 9.
  expect(valueIn(neighbourhood(grid, 8, choices))).toEqual({ kept: 7 / 9, worst: 6 / 9, neighbours: 2, isAtEnd: true });
});

test("of one parameter the two nearest count also at the end of its range, and it is said to be the end where it is one", () => {
  const drawn = [0.7, 2.1, 3.3, 7.9].map((value, i) => ({ values: [value], achieved: i + 1 }));
  const span = (to: number): Choice => ({ kind: "span", from: 0.5, to, scale: "linear" });
  // 3 and 2 beside the 4.
  expect(valueIn(neighbourhood(drawn, 3, [span(8)]))).toEqual({
    kept: 2.5 / 4,
    worst: 0.5,
    neighbours: 2,
    isAtEnd: true,
  });
  // 4 and 2 beside the 3.
  expect(valueIn(neighbourhood(drawn, 2, [span(8)]))).toEqual({ kept: 1, worst: 2 / 3, neighbours: 2, isAtEnd: false });
  // The largest that was drawn, of a range that goes much further.
  expect(valueIn(neighbourhood(drawn, 3, [span(20)])).isAtEnd).toBe(false);
});

test("what a parameter may be ends at its first and its last number, and in the outermost twentieth of a span", () => {
  const log: Choice = { kind: "span", from: 100, to: 10_000, scale: "log" };
  // A twentieth of two decades is a factor of 1.26.
  expect([101, 125, 127, 7_900, 8_000].map((value) => isEndOf(log, value))).toEqual([true, true, false, false, true]);
  expect([1, 2, 5].map((value) => isEndOf(listOf(1, 2, 5), value))).toEqual([true, false, true]);
  // Of two, or of texts, either would be an end.
  expect([isEndOf(listOf(1, 2), 1), isEndOf({ kind: "list", values: ["a", "b", "c"] }, "a")]).toEqual([false, false]);
});

test("values without an order have no neighbours, and a best that is not above zero has no share to keep", () => {
  const texts = ["a", "b", "c"].map((value, i) => ({ values: [value], achieved: i + 1 }));
  expect(neighbourhood(texts, 2, []).kind).toBe("n/a");
  const lost = [1, 2, 3].map((value) => ({ values: [value], achieved: -value }));
  expect(neighbourhood(lost, 0, [])).toEqual({ kind: "n/a", reason: "what the best came to is not above zero" });
  expect(neighbourhood([{ values: [1], achieved: null }], 0, []).kind).toBe("n/a");
});

test("where values were drawn, the sets that lie nearest stand in for steps", () => {
  const sets = [0, 1, 2, 3, 50].map((value) => ({
    values: [value / 7, value === 50 ? 1 : 0],
    achieved: 10 - value / 10,
  }));
  // Two parameters, so the four nearest of the first: all others.
  expect(valueIn(neighbourhood(sets, 0, [])).neighbours).toBe(4);
});
