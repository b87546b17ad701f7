import { describe, expect, test } from "vitest";
import { Money } from "../../../src/domain/money/money.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { assetOf } from "../../../src/treasury/plan/holding.ts";
import { makePlan, type Plan, type PlanInput } from "../../../src/treasury/plan/plan.ts";
import { bestOf, tryPlan } from "./brute-force.ts";
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

/** Lots through each route, read off the plan's own quantities. */
function lotsOf({ routes }: PlanInput, { steps }: Plan): number[] {
  return routes.map((route) => {
    const step = steps.find((one) => one.route === route);
    return step === undefined ? 0 : Math.round(step.quantity.toNumber() / route.lot.toNumber());
  });
}

function expectWithinMeans({ holdings }: PlanInput, { steps }: Plan, index: number): void {
  for (const holding of new Set(steps.map(({ route }) => route.from))) {
    const taken = Money.sum(
      steps.filter(({ route }) => route.from === holding).map(({ takes }) => takes),
      assetOf(holding),
    );
    const available = holdings.find((state) => state.holding === holding)?.available ?? Money.zero(assetOf(holding));
    expect(taken.atMost(available), `case ${index}: takes ${taken} of ${available} ${holding}`).toBe(true);
  }
}
