// Each policy is a switch of the one scheduler, and what it earns is printed
// whatever it is.

import { describe, expect, it } from "vitest";
import { SLOT_POLICIES } from "../../src/exchange/budget/scheduler.ts";
import { type Compared, comparePolicies } from "./slot-comparison.ts";
import { MINUTE, pegArbitrage } from "./stage.ts";

const BUSY = { size: 500, pauseMs: 1_000 };

describe.each([2, 3])("the policies of the slots, on seed %i", (seed) => {
  const run = (): Compared => comparePolicies(() => pegArbitrage(BUSY), { lengthMs: 10 * MINUTE, seed });

  it("spend the same budget on different things; by worth, fewer of it on balances", () => {
    const compared = run();
    for (const policy of SLOT_POLICIES)
      process.stdout.write(`seed ${seed} ${policy}: ${compared[policy].perRequest.toFixed(6)} CHF a request\n`);
    const requests = SLOT_POLICIES.map((policy) => compared[policy].requests);
    expect(Math.max(...requests) - Math.min(...requests)).toBeLessThan(10);
    const hashes = SLOT_POLICIES.map((policy) => compared[policy].traceHash);
    expect(new Set(hashes).size).toBe(SLOT_POLICIES.length);
    expect(compared.worth.byClass.balance).toBeLessThan(compared["fixed-priority"].byClass.balance as number);
  });
});
