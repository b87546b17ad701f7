import { expect, test } from "vitest";
import { chanceByLuck, superiority } from "../../../backtest/search/superior.ts";
import type { TrialResult } from "../../../backtest/search/trial-result.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";

const drawn = (random: Random, length: number, edge = 0): Float64Array =>
  Float64Array.from({ length }, () => edge + 0.01 * random.normal());
/** Sums of four draws of a linear congruence, as in the other program. */
function congruent(seed: number, edge: number): Float64Array {
  let state = seed;
  const next = (): number => {
    state = Number((BigInt(state) * 1_103_515_245n + 12_345n) % 2_147_483_648n);
    return state / 2_147_483_648;
  };
  return Float64Array.from({ length: 80 }, () => edge + 0.01 * (next() + next() + next() + next() - 2));
}

test.each([
  [0.0012, 0.44378],
  [0.0032, 0.00014],
])("with an edge of %d its chance is that of an independent program: %d over 100,000 draws", (edge, p) => {
  const sets = [edge, 0, -0.0005, 0.0004, -0.004].map((one, set) => congruent(11 + set, one));
  // Three standard errors of 1,000 draws.
  expect(Math.abs(chanceByLuck(sets, createRandom(1)) - p)).toBeLessThan(3 * Math.sqrt((p * (1 - p)) / 1_000) + 0.001);
});

const setsOf = (seed: number, count: number, edgeOf: (set: number) => number): Float64Array[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, set) => drawn(random, 100, edgeOf(set)));
};

test("of 500 searches over 20 sets without an edge 2 to 8 % look better than holding at 5 %", () => {
  const none = (): number => 0;
  const seeds = Array.from({ length: 500 }, (_, seed) => seed);
  const rejected = seeds.filter((seed) => chanceByLuck(setsOf(seed, 20, none), createRandom(seed)) < 0.05);
  expect(rejected.length).toBeGreaterThanOrEqual(10);
  expect(rejected.length).toBeLessThanOrEqual(40);
});

test("one set with an edge among 50 is found, and hopeless sets beside it do not hide it", () => {
  // 0.005 a period is half a standard deviation: 5 standard errors over 100 periods.
  const found = chanceByLuck(
    setsOf(1, 50, (set) => (set === 7 ? 0.005 : 0)),
    createRandom(1),
  );
  expect(found).toBeLessThan(0.05);
  const withHopeless = chanceByLuck(
    setsOf(1, 550, (set) => (set === 7 ? 0.005 : set < 50 ? 0 : -0.01)),
    createRandom(1),
  );
  expect(withHopeless).toBeLessThan(0.05);
});

test("returns that hang together need more of an edge than independent ones", () => {
  const edge = 0.002;
  const random = createRandom(4);
  let last = 0;
  const dependent = drawn(random, 200).map((one) => {
    last = 0.8 * last + one;
    return last;
  });
  // The same mean of 0.2 of a standard deviation for both.
  const scaled = (returns: Float64Array): Float64Array => {
    const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length;
    const deviation = Math.sqrt(returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / returns.length);
    return returns.map((one) => (0.01 * (one - mean)) / deviation + edge);
  };
  const alone = chanceByLuck([scaled(drawn(random, 200))], createRandom(1));
  expect(alone).toBeLessThan(0.01);
  expect(chanceByLuck([scaled(dependent)], createRandom(1))).toBeGreaterThan(0.05);
});

const ran = (equity: readonly number[]): TrialResult =>
  ({
    kind: "ran",
    returns: { equity, holding: equity.map(() => 0), periodMs: 1, perYear: 1 },
  }) as unknown as TrialResult;
const refused: TrialResult = { kind: "refused", trial: "", reason: "no" };
const swinging = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 0.01 : -0.02));

test("sets that never traded count as tried; a set that did not run the whole time, and a refused one, do not", () => {
  const found = superiority([[ran(swinging)], [ran(swinging.map(() => 0))], [ran(swinging.slice(1))], [refused]], 1);
  // Its mean is below zero: whatever luck brings is as good.
  expect(found).toEqual({ kind: "known", value: { p: 1, sets: 2, periods: 20 } });
  expect(superiority([[ran(swinging)]], 5)).toEqual(superiority([[ran(swinging)]], 5));
});

test("too few returns, and none that vary, give no figure", () => {
  for (const results of [[], [[refused]], [[ran(swinging.slice(1))]], [[ran(swinging.map(() => 0))]]])
    expect(superiority(results, 1).kind).toBe("n/a");
});
