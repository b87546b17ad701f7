// With the edge taken out of the market nobody earns: the price walks, a spread is to be paid, and nothing comes back to
// par. The long version is scripts/honesty.ts; that this one can fail is shown by honesty-broken.test.ts.

import { beforeAll, describe, expect, it } from "vitest";
import { complaints, honesty, type Verdict } from "../support/honesty.ts";
import { MINUTE } from "./stage.ts";

const SEEDS = 20;

describe(`in a market with nothing to earn, over seeds 1 to ${SEEDS}`, () => {
  let verdicts: readonly Verdict[] = [];
  beforeAll(() => {
    verdicts = honesty({ seeds: SEEDS, lengthMs: 8 * MINUTE });
  });

  it("no strategy reports profit beyond noise, and every fill is at the ask or bid of its moment", () => {
    expect(verdicts.map(({ strategy }) => strategy)).toEqual([
      "momentum",
      "fading",
      "reversion",
      "random",
      "peg-arbitrage",
    ]);
    expect(complaints(verdicts), JSON.stringify(verdicts, null, 1)).toEqual([]);
  });
});
