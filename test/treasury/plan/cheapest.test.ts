import { describe, expect, test } from "vitest";
import { Money } from "../../../src/domain/money/money.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { makePlan, type Plan, type PlanInput } from "../../../src/treasury/plan/plan.ts";
import { assetOf } from "../../../src/treasury/plan/pot.ts";
import { bestOf, tryPlan } from "./brute-force.ts";
import { randomCase } from "./random-case.ts";

const SEED = 8_2026;
const CASES = 2_000;
const PARTS = 10;

describe(`the planner against every plan there is, seed ${SEED}`, () => {
  for (let part = 0; part < PARTS; part++)
    test(`finds the cheapest feasible plan in ${CASES / PARTS} random cases (${part + 1} of ${PARTS})`, () => {
      for (let i = part; i < CASES; i += PARTS) {
        const input = randomCase(createRandom(SEED).fork(`case ${i}`));
        const plan = unwrap(makePlan(input));
        const lots = lotsOf(input, plan);
        expect(tryPlan(input, lots), `case ${i}: lots ${lots.join(" ")}`).toEqual(bestOf(input));
        expect(plan.proven, `case ${i}`).toBe(true);
        expectWithinMeans(input, plan, i);
      }
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
