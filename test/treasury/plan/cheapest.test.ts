import { describe, expect, test } from "vitest";
import { Money } from "../../../src/domain/money/money.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { guessAt, isOutOfReach, leastIn } from "../../../src/treasury/plan/bound.ts";
import { assetOf } from "../../../src/treasury/plan/holding.ts";
import { makePlan, type Plan, type PlanInput } from "../../../src/treasury/plan/plan.ts";
import { type Box, CLOSED, type Goal, type Range } from "../../../src/treasury/plan/program.ts";
import { bestOf, type Tried, tryPlan } from "./brute-force.ts";
import { randomCase } from "./random-case.ts";

const SEED = 8_2026;
const CASES = 2_000;
const PARTS = 10;

describe(`the planner against every plan there is, seed ${SEED}`, () => {
  for (let part = 0; part < PARTS; part++)
    test(`finds the cheapest feasible plan in ${CASES / PARTS} random cases (${part + 1} of ${PARTS})`, () => {
      let looked = 0;
      for (let i = part; i < CASES; i += PARTS) {
        const input = randomCase(createRandom(SEED).fork(`case ${i}`));
        const plan = unwrap(makePlan(input));
        const lots = lotsOf(input, plan);
        expect(tryPlan(input, lots), `case ${i}: lots ${lots.join(" ")}`).toEqual(bestOf(input));
        expect(plan.proven, `case ${i}`).toBe(true);
        expectWithinMeans(input, plan, i);
        looked += plan.looked;
      }
      // It is found soon: with a worse choice of where to look first, or bounds that hold less, it is found all the same, and later.
      expect(looked / (CASES / PARTS)).toBeLessThan(5.3);
    });
});

/** Lots through each door, read off the plan's own quantities. */
function lotsOf({ doors }: PlanInput, { steps }: Plan): number[] {
  return doors.map((door) => {
    const step = steps.find((one) => one.door === door);
    return step === undefined ? 0 : Math.round(step.quantity.toNumber() / door.lot.toNumber());
  });
}

function expectWithinMeans({ holdings }: PlanInput, { steps }: Plan, index: number): void {
  for (const pot of new Set(steps.map(({ door }) => door.from))) {
    const taken = Money.sum(
      steps.filter(({ door }) => door.from === pot).map(({ takes }) => takes),
      assetOf(pot),
    );
    const available = holdings.find((holding) => holding.pot === pot)?.available ?? Money.zero(assetOf(pot));
    expect(taken.atMost(available), `case ${index}: takes ${taken} of ${available} ${pot}`).toBe(true);
  }
}

test("no plan of a box is better than its bound, whatever prices are guessed, and none is good where the box is out of reach", () => {
  const counts = { bounded: 0, outOfReach: 0 };
  for (let i = 0; i < 300; i++) {
    const random = createRandom(SEED).fork(`bound ${i}`);
    const program = smallProgram(random);
    const box = program.doors.map((door) => randomRange(random, door));
    const scores = plansIn(box).flatMap((lots) => scoreOf(program, lots));
    const least = scores.reduce((one, { missed }) => (missed < one ? missed : one), 1_000n);
    const goals: readonly Goal[] = [
      { kind: "missed" },
      { kind: "cost", missedMax: least },
      { kind: "cost", missedMax: least + BigInt(random.integer(0, 4)) },
      { kind: "cost", missedMax: BigInt(random.integer(0, 9)) },
    ];
    const price = (): number => random.next() * (random.next() < 0.3 ? 1_500 : 1.5);
    // An edge that is not there has no price.
    const prices = program.pots.map(({ low, high }) => ({
      take: price(),
      low: low === undefined ? 0 : price(),
      high: high === undefined ? 0 : price(),
    }));
    for (const goal of goals) {
      const values = scores.flatMap((score) => measured(score, goal) ?? []);
      const guessed = guessAt(program, box, goal).prices;
      for (const bound of [prices, guessed].map((some) => leastIn(program, box, goal, some))) {
        const better = values.filter((value) => value < bound);
        expect(better, `case ${i}, ${goal.kind}: bound ${bound}`).toEqual([]);
        counts.bounded += bound > 0n ? 1 : 0;
      }
      const isOut = isOutOfReach(program, box, goal);
      if (isOut) expect(values, `case ${i}, ${goal.kind} is out of reach`).toEqual([]);
      counts.outOfReach += isOut ? 1 : 0;
    }
  }
  expect(counts.bounded).toBeGreaterThan(100);
  expect(counts.outOfReach).toBeGreaterThan(100);
});

type Program = Parameters<typeof leastIn>[0];

/** Nothing where more is taken than there is. */
function scoreOf({ pots, doors }: Program, lots: readonly number[]): readonly Tried[] {
  const [taken, brought] = [pots.map(() => 0n), pots.map(() => 0n)];
  let cost = 0n;
  for (const [i, door] of doors.entries()) {
    const count = BigInt(lots[i] ?? 0);
    if (count === 0n) continue;
    taken[door.from] = (taken[door.from] ?? 0n) + door.takes * count;
    brought[door.to] = (brought[door.to] ?? 0n) + door.brings * count - door.keeps;
    cost += door.cost * count + door.costOnce;
  }
  if (pots.some(({ available }, i) => (taken[i] ?? 0n) > available)) return [];
  const missed = pots.reduce((sum, { have, low, high }, i) => {
    const after = have - (taken[i] ?? 0n) + (brought[i] ?? 0n);
    const below = low !== undefined && after < low ? low - after : 0n;
    return sum + below + (high !== undefined && after > high ? after - high : 0n);
  }, 0n);
  return [{ missed, cost }];
}

function measured({ missed, cost }: Tried, goal: Goal): bigint | undefined {
  if (goal.kind === "missed") return missed;
  return missed <= goal.missedMax ? cost : undefined;
}

function smallProgram(random: Random): Program {
  const some = (low: number, high: number): bigint => BigInt(random.integer(low, high));
  const pots = Array.from({ length: 3 }, () => {
    const available = some(0, 12);
    const low = random.next() < 0.7 ? some(0, 15) : undefined;
    const high = random.next() < 0.6 ? (low ?? 0n) + some(0, 4) : undefined;
    return { available, have: available + some(0, 4), low, high };
  });
  const doors = Array.from({ length: random.integer(1, 3) }, () => {
    const from = random.integer(0, 2);
    const [min, to] = [random.integer(1, 2), (from + random.integer(1, 2)) % 3];
    const per = { takes: some(1, 4), brings: some(0, 5), cost: some(0, 5), keeps: some(0, 3), costOnce: some(0, 4) };
    return { from, to, min, max: min + random.integer(-1, 3), exclusive: undefined, ...per };
  });
  return { pots, doors };
}

function randomRange(random: Random, { min, max }: Program["doors"][number]): Range {
  if (max < min || random.next() < 0.1) return CLOSED;
  const low = random.integer(min, max);
  return { mayRest: random.next() < 0.5, low, high: random.integer(low, max) };
}

function plansIn(box: Box): readonly (readonly number[])[] {
  return box.reduce<readonly (readonly number[])[]>(
    (plans, { mayRest, low, high }) => {
      const used = high === 0 ? [] : Array.from({ length: high - low + 1 }, (_, i) => low + i);
      const lots = mayRest ? [0, ...used] : used;
      return plans.flatMap((plan) => lots.map((count) => [...plan, count]));
    },
    [[]],
  );
}
