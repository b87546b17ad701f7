import { expect, it } from "vitest";
import { type Axis, gridPoints, parseChoice, sobol, sobolPoints } from "../../../../backtest/search/parameter-space.ts";
import { chosenInSample, faultIn, type RankedRow, rankedRows } from "../../../../backtest/search/ranking.ts";
import { inSample, type Objective, outOfSample, parseSplit } from "../../../../backtest/search/search-terms.ts";
import type { Explored } from "../../../../backtest/search/sweep.ts";
import type { SweepPlan } from "../../../../backtest/search/sweep-plan.ts";
import type { TrialResult } from "../../../../backtest/search/trial-result.ts";
import { unwrap } from "../../../../src/domain/result.ts";
import { millis } from "../../../../src/domain/time.ts";

const valuesOf = (text: string): unknown => {
  const choice = unwrap(parseChoice(text));
  return choice?.kind === "list" ? choice.values : choice;
};
const axis = (name: string, text: string): Axis => {
  const choice = unwrap(parseChoice(text));
  if (choice === undefined) throw new Error(`${text} must leave a choice`);
  return { target: "param", name, choice };
};

it("reads ranges with steps without float noise, log ranges with both ends, lists and spans", () => {
  expect(valuesOf("1..3:1")).toEqual([1, 2, 3]);
  expect(valuesOf("0.1..0.7:0.2")).toEqual([0.1, 0.3, 0.5, 0.7]);
  expect(valuesOf("1..10:4")).toEqual([1, 5, 9]);
  expect(valuesOf("-2..2:2")).toEqual([-2, 0, 2]);
  expect(valuesOf("100..10000:log3")).toEqual([100, 1_000, 10_000]);
  expect(valuesOf("0.12345678..8.7654321:log2")).toEqual([0.12345678, 8.7654321]);
  expect(valuesOf("1,2.5, true,abc , d")).toEqual([1, 2.5, true, "abc", "d"]);
  expect(valuesOf("0.5..8")).toEqual({ kind: "span", from: 0.5, to: 8, scale: "linear" });
  expect(valuesOf("10..1000:log")).toEqual({ kind: "span", from: 10, to: 1_000, scale: "log" });
});

it.each([
  ["5..1:1", "range must go up, was 5..1:1"],
  ["3..3:1", "range must go up, was 3..3:1"],
  ["1..5:0", "step must be above zero, was 1..5:0"],
  ["1..5:-1", "step must be above zero, was 1..5:-1"],
  ["1..5:", "range must have a step after the colon, was 1..5:"],
  ["0..5:log3", "log range must begin above zero, was 0..5:log3"],
  ["1..5:log1", "log range must have 2 steps or more, was 1..5:log1"],
  ["1..5:log2.5", "log range must have 2 steps or more, was 1..5:log2.5"],
  ["1..x", "must look like 1..10:1, 1..10, 100..10000:log5 or 1,2,5, was 1..x"],
  ["1,,2", "must not have an empty value, was 1,,2"],
  ["1,2,1.0", "must not have 1 twice, was 1,2,1.0"],
  ["1..5:log10001", "must have 10000 values at most, was 10001: 1..5:log10001"],
  ["0..1:0.00001", "must have 10000 values at most, was 100001: 0..1:0.00001"],
])("refuses %s", (text, reason) => {
  expect(parseChoice(text)).toEqual({ ok: false, error: reason });
});

it("a grid is every combination, the last parameter first; without steps there is none", () => {
  const axes = [axis("a", "1,2"), axis("b", "x,y,z")];
  expect(unwrap(gridPoints(axes))).toEqual([
    [1, "x"],
    [1, "y"],
    [1, "z"],
    [2, "x"],
    [2, "y"],
    [2, "z"],
  ]);
  expect(gridPoints([axis("a", "1..2")])).toMatchObject({
    ok: false,
    error: expect.stringContaining("a grid needs steps: a=1..10:1"),
  });
  expect(gridPoints([axis("a", "1..1000:1"), axis("b", "1..1000:1")])).toMatchObject({
    ok: false,
    error: "a grid must have 100000 parameter sets at most, was 1000000",
  });
});

it("Sobol points are those of the sequence, and every part of a plane has as many of them", () => {
  // The first eight as published with the direction numbers, in Gray code order.
  expect(Array.from({ length: 8 }, (_, index) => sobol(index, [0, 0]))).toEqual([
    ...[
      [0, 0],
      [0.5, 0.5],
      [0.75, 0.25],
      [0.25, 0.75],
    ],
    ...[
      [0.375, 0.375],
      [0.875, 0.875],
      [0.625, 0.125],
      [0.125, 0.625],
    ],
  ]);
  const shifts = Array.from({ length: 10 }, (_, dimension) => (123_456_789 * (dimension + 1)) % 2 ** 32);
  const points = Array.from({ length: 256 }, (_, index) => sobol(index, shifts));
  for (const dimension of shifts.keys())
    expect(new Set(points.map((point) => Math.floor((point[dimension] as number) * 256))).size).toBe(256);
  const cells = points.map(([a = 0, b = 0]) => Math.floor(a * 16) * 16 + Math.floor(b * 16));
  expect(new Set(cells).size).toBe(256);
});

it("Sobol sets come from the seed, differ from each other and lie in their ranges", () => {
  const axes = [axis("a", "1..1001"), axis("b", "10..1000:log"), axis("c", "u,v")];
  const points = unwrap(sobolPoints(axes, 200, 7));
  expect(points).toEqual(unwrap(sobolPoints(axes, 200, 7)));
  expect(points).not.toEqual(unwrap(sobolPoints(axes, 200, 8)));
  expect(new Set(points.map((point) => JSON.stringify(point))).size).toBe(200);
  expect(points.every(([a]) => (a as number) >= 1 && (a as number) <= 1_001)).toBe(true);
  const below = (place: number, middle: number): number =>
    points.filter((point) => (point[place] as number) < middle).length;
  // Half of a log range from 10 to 1000 lies below 100.
  expect(Math.abs(below(0, 501) - 100)).toBeLessThan(3);
  expect(Math.abs(below(1, 100) - 100)).toBeLessThan(3);
  expect(new Set(points.map(([, , c]) => c))).toEqual(new Set(["u", "v"]));
});

it("the time that judges begins where the time that chooses ends; other seeds are never the one that chooses", () => {
  const whole = { seed: 4, from: millis(0), to: millis(100_000) };
  const time = unwrap(parseSplit("0.3"));
  expect(inSample(whole, time)).toEqual([{ seed: 4, from: 0, to: 70_000 }]);
  expect(outOfSample(whole, time)).toEqual([{ seed: 4, from: 70_000, to: 100_000 }]);
  const seeds = unwrap(parseSplit("seeds:2"));
  expect(inSample(whole, seeds)).toEqual([whole]);
  expect(outOfSample(whole, seeds).map(({ seed }) => seed)).toEqual([5, 6]);
  const many = { kind: "seeds", choosing: 3, count: 2 } as const;
  expect([inSample, outOfSample].map((part) => part(whole, many).map(({ seed }) => seed))).toEqual([
    [4, 5, 6],
    [7, 8],
  ]);
  for (const text of ["0.05", ".95", "seeds:1", "seeds:100"]) expect(parseSplit(text).ok).toBe(true);
  for (const text of ["0", "1", "0.04", "0.96", "30%", "5e-1", "0.12345", "seeds:0", "seeds:101", "seeds:x"])
    expect(parseSplit(text).ok).toBe(false);
});

it("what judged best stands first, what has no figure last, by the choice next; the choice is made in-sample", () => {
  const ran = (netProfit: number | null, fault?: string): TrialResult => {
    const counts = { orders: 2, fills: 1, trial: "t", traceHash: `h${netProfit}`, state: "ACTIVE" };
    const figures = { netProfit, drawdown: netProfit };
    return { kind: "ran", ...counts, ...(fault && { fault }), figures } as unknown as TrialResult;
  };
  const refused: TrialResult = { kind: "refused", trial: "t", reason: "why" };
  const set = (index: number, inSample: TrialResult, ...outOfSample: TrialResult[]): Explored =>
    ({ index, point: [index * 10], inSample: [inSample], outOfSample }) as Explored;
  const explored = [
    set(0, ran(5), ran(1), ran(3)),
    set(1, ran(9), ran(2), ran(2)),
    set(2, ran(4), ran(1), ran(1)),
    set(3, ran(null), ran(7), ran(null)),
    set(4, ran(99, "boom"), ran(50, "boom"), ran(50)),
    set(5, refused, refused, ran(1)),
    set(6, ran(9), ran(4), ran(8)),
  ];
  const rowsFor = (objective: Objective) =>
    rankedRows({ axes: [{ name: "edge" }], objective } as unknown as SweepPlan, explored);
  const rows = rowsFor("profit");
  expect(rows.map(({ rank, index, outOfSample, inSample }) => [rank, index, outOfSample, inSample])).toEqual([
    [1, 6, 6, 9],
    [2, 1, 2, 9],
    [3, 0, 2, 5],
    [4, 2, 1, 4],
    [5, 3, null, null],
    [5, 4, null, null],
    [5, 5, null, null],
  ]);
  expect(chosenInSample("profit", rows)?.index).toBe(1);
  expect(rowsFor("drawdown").map(({ index }) => index)).toEqual([2, 0, 1, 6, 3, 4, 5]);
  expect(chosenInSample("drawdown", rowsFor("drawdown"))?.index).toBe(2);
  const judgedOf = (index: number) => (rows.find((row) => row.index === index) as RankedRow).judged;
  expect(rows[0]?.values).toEqual({ edge: 60 });
  expect(judgedOf(0)).toMatchObject({ fills: 1, orders: 2, figures: { netProfit: 2 } });
  expect([judgedOf(3).figures.netProfit, judgedOf(5).figures.netProfit, judgedOf(5).fills]).toEqual([null, null, 1]);
  expect([judgedOf(4).states, judgedOf(5).states]).toEqual([
    ["failed: boom", "ACTIVE"],
    ["refused: why", "ACTIVE"],
  ]);
  expect([faultIn(judgedOf(4)), faultIn(judgedOf(5))]).toEqual(["failed: boom", undefined]);
});
