import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Outcome, tried } from "../support/judgement.ts";
import { judged, verdictLines } from "../support/verdict.ts";

/** Neither tuned nor judged on: `npm run judge:strategies` has the long version. */
const SEEDS = [2_001, 2_002];
const DAYS = 0.5;

// Half a day is too short to judge single seeds: what is held at its end may stand anywhere around par.
describe("in the market of docs/STRATEGIES.md, over half a day", () => {
  for (const strategy of ["peg-arbitrage", "reference-taker"] as const)
    it(`${strategy} earns more than holding in all, and leaves a market without edge alone (seeds ${SEEDS})`, () => {
      const outcomes = SEEDS.flatMap((seed) =>
        (["base", "no edge"] as const).map((market) => tried({ strategy, market, seed, days: DAYS })),
      );
      const { orders, ordersWithoutEdge } = judged(outcomes, strategy);
      const profit = outcomes.reduce((sum, one) => sum + one.profit, 0);
      expect(profit, verdictLines(outcomes).join()).toBeGreaterThan(0);
      expect(orders).toBeGreaterThan(200);
      expect(ordersWithoutEdge).toBeLessThan(0.02 * orders);
      expect(outcomes.every(({ state }) => state === "ACTIVE")).toBe(true);
    });
});

describe("a judgement", () => {
  const one: Outcome = {
    ...{ strategy: "peg-arbitrage", market: "base", seed: 1, orders: 100, fills: 90, refused: 0 },
    ...{ profit: 5, requests: 1_000, state: "ACTIVE" },
  };
  const seeds = Array.from({ length: 20 }, (_, index) => index + 1);
  const base = (losers: number) => seeds.map((seed) => ({ ...one, seed, profit: seed <= losers ? -1 : 5 }));
  const bare = (orders: number) => seeds.map((seed) => ({ ...one, seed, market: "no edge" as const, orders }));

  it("holds with 18 of 20 above holding, and not with 17", () => {
    expect(judged([...base(2), ...bare(0)], "peg-arbitrage")).toMatchObject({ above: 18, holds: true });
    expect(judged([...base(3), ...bare(0)], "peg-arbitrage")).toMatchObject({ above: 17, holds: false });
  });

  it("does not hold when two of a hundred orders are placed without an edge, or when that market was not tried", () => {
    expect(judged([...base(0), ...bare(1)], "peg-arbitrage").holds).toBe(true);
    expect(judged([...base(0), ...bare(2)], "peg-arbitrage").holds).toBe(false);
    expect(judged(base(0), "peg-arbitrage").holds).toBe(false);
  });

  it("is said in one line for each strategy", () => {
    expect(verdictLines([...base(3), ...bare(1)])).toEqual([
      "peg-arbitrage: above holding in 17 of 20 (-1.00 to 5.00 CHF, median 5.00); 2000 orders, without edge 20 (1.00 %): does not hold",
    ]);
  });
});

describe("what docs/STRATEGIES.md says of the judgement", () => {
  const { outcomes, commit } = JSON.parse(readFileSync("bench/results/judged-strategies.json", "utf8")) as Stored;
  const page = readFileSync("docs/STRATEGIES.md", "utf8");

  it("is of every seed from 1001 to 1020, in both markets, at the commit that was judged", () => {
    const seeds = Array.from({ length: 20 }, (_, index) => 1_001 + index);
    for (const strategy of ["peg-arbitrage", "reference-taker"])
      for (const market of ["base", "no edge"]) {
        const tried = outcomes.filter((one) => one.strategy === strategy && one.market === market);
        expect(tried.map(({ seed }) => seed)).toEqual(seeds);
      }
    expect(page).toContain(`at commit ${commit} `);
  });

  it.each(["peg-arbitrage", "reference-taker"])("has the figures of %s as they came", (strategy) => {
    const verdict = judged(outcomes, strategy);
    const whole = (amount: number) => Math.round(amount).toLocaleString("en-US");
    const base = outcomes.filter((one) => one.strategy === strategy && one.market === "base");
    const sum = (of: (one: Outcome) => number) => base.reduce((total, one) => total + of(one), 0);
    const cells = [
      `\`${strategy}\``,
      `${verdict.above} of ${verdict.seeds}`,
      [verdict.least, verdict.median, verdict.most].map(whole).join(" "),
      `${whole(verdict.orders)}, ${whole(sum(({ fills }) => fills))}`,
      `${(sum(({ profit }) => profit) / sum(({ requests }) => requests)).toFixed(2)} CHF`,
      whole(verdict.ordersWithoutEdge),
    ];
    expect(page).toContain(`| ${cells.join(" | ")} |`);
  });
});

type Stored = { readonly commit: string; readonly outcomes: readonly Outcome[] };
