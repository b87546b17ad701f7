// With the edge taken out of the market nobody earns: no deviation from par, no stress, no noise, and a spread to pay. The long
// version is scripts/honesty.ts.

import { beforeAll, describe, expect, it } from "vitest";
import { honesty, type Verdict } from "../support/honesty.ts";
import { MINUTE } from "./stage.ts";

const SEEDS = 20;
/** Half the spread of the two pairs is 3 bp; the smallest order is of 500. */
const COST_MIN = 500 * 2.5e-4;

describe(`in a market with nothing to earn, over seeds 1 to ${SEEDS}`, () => {
  let verdicts: readonly Verdict[] = [];
  beforeAll(() => {
    verdicts = honesty(SEEDS, 6 * MINUTE);
  }, 120_000);
  const named = (verdict: Verdict): string => JSON.stringify(verdict);

  it("no strategy reports profit beyond noise", () => {
    expect(verdicts).toHaveLength(5);
    for (const verdict of verdicts) expect(verdict.mean, named(verdict)).toBeLessThanOrEqual(3 * verdict.error);
  });

  it("the built-in strategy does nothing, and whoever trades all the same pays the spread with every fill", () => {
    const [calm, eager, ...others] = verdicts as [Verdict, Verdict, ...Verdict[]];
    for (const verdict of [calm, eager]) expect(verdict, named(verdict)).toMatchObject({ fills: 0, mean: 0 });
    expect(others).toHaveLength(3);
    for (const verdict of others) {
      expect(verdict.fills, named(verdict)).toBeGreaterThan(SEEDS * 5);
      expect((verdict.mean * SEEDS) / verdict.fills, named(verdict)).toBeLessThan(-COST_MIN);
    }
  });
});
