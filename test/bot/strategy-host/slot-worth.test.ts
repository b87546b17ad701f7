// What a strategy says a slot is worth, as the engine hears it: summed over pairs in the currency of the limits, and never in
// the way of anything when it is no number.

import { describe, expect, it } from "vitest";
import { millis } from "../../../src/domain/time.ts";
import { defineStrategy, type View } from "../../../src/strategy/strategy.ts";
import { type BenchOptions, strategyBench } from "../../support/strategy-bench.ts";

const BOTH = {
  symbols: ["VCHF/CHF", "VGBP/GBP"],
  balances: { CHF: "10000", GBP: "10000", VCHF: "0", VGBP: "0" },
  fair: { "GBP/CHF": 1.1 },
};

function saying(worth: (view: View<unknown, unknown, "quote">) => unknown, options: Partial<BenchOptions> = {}) {
  const strategy = defineStrategy({ name: "says", decide: () => undefined, worth: worth as () => number });
  const bench = strategyBench(strategy, { ...BOTH, ...options });
  bench.quote("VCHF/CHF", 0.999, 1.001);
  bench.quote("VGBP/GBP", 0.998, 1);
  return bench;
}

describe.each(["reused", "fresh"] as const)("with %s views, what a strategy says of fresh quotes", (views) => {
  const settings = { views };

  it("is the sum over its pairs, in the currency of the limits", () => {
    const bench = saying(({ quote }) => (quote.symbol === "VGBP/GBP" ? 2 : 0.5), { settings });
    expect(bench.worth()).toBeCloseTo(0.5 + 2 * 1.1, 9);
  });

  it("is asked of each pair with its own quote, fair value and age at the slot", () => {
    const seen: unknown[] = [];
    const bench = saying(({ quote, fair, now }) => void seen.push([quote.symbol, quote.bid, fair, quote.ageMs, now]), {
      settings,
    });
    bench.engine.quotesGain(millis(bench.now + 700));
    const now = bench.now + 700;
    expect(seen).toEqual([
      ["VCHF/CHF", 0.999, 1, 1_700, now],
      ["VGBP/GBP", 0.998, 1, 700, now],
    ]);
  });

  it("is nothing where it cannot say of any pair, and the sum of the others where it cannot say of one", () => {
    expect(saying(() => undefined, { settings }).worth()).toBeUndefined();
    expect(saying(({ quote }) => (quote.symbol === "VCHF/CHF" ? 3 : undefined), { settings }).worth()).toBe(3);
  });

  it("moves neither the engine's clock nor its count of events", () => {
    const bench = saying(() => 1, { settings });
    const { now, sequence } = bench.engine;
    bench.engine.quotesGain(millis(bench.now + 60_000));
    expect([bench.engine.now, bench.engine.sequence]).toEqual([now, sequence]);
  });

  it("says nothing of the strategy itself", () => {
    const bench = saying(({ note }) => void note("in worth"), { settings });
    bench.engine.quotesGain(bench.now);
    expect(bench.engine.said).toBeUndefined();
  });

  it("comes with views that are closed afterwards", () => {
    const kept: View<unknown, unknown, "quote">[] = [];
    const bench = saying((view) => void kept.push(view), { settings });
    bench.engine.quotesGain(bench.now);
    expect(() => kept[0]?.now).toThrow("a view is valid only while decide runs");
    expect(() => kept[0]?.quote.bid).toThrow("a view is valid only while decide runs");
  });
});

describe("a word that cannot be taken", () => {
  it.each([
    [() => Number.NaN, "worth of says must be a number from 0, or undefined, was NaN"],
    [() => -1, "worth of says must be a number from 0, or undefined, was -1"],
    [() => Number.POSITIVE_INFINITY, "was Infinity"],
    [() => "much", "was string"],
    [() => Promise.reject(new Error("later")), "was object"],
    [
      () => {
        throw new Error("broken");
      },
      "worth of says threw: Error: broken",
    ],
  ])("counts as none, with a reason (%#)", (worth, reason) => {
    const { engine, now, worth: checked } = saying(worth);
    expect(engine.quotesGain(now)).toBeUndefined();
    expect(engine.worthProblem).toContain(reason);
    expect(checked).toThrow(reason);
  });

  it("is a mistake on the bench when it changed the state", () => {
    const strategy = defineStrategy({
      name: "counts",
      state: () => ({ looks: 0 }),
      decide: () => undefined,
      worth: ({ state }) => ++(state as { looks: number }).looks,
    });
    const bench = strategyBench(strategy, BOTH);
    bench.quote("VCHF/CHF", 0.999, 1.001);
    expect(() => bench.worth()).toThrow("worth of counts must not change the state, did; it is not asked again");
  });

  it("is not asked again by a bot whose state it changed, nor looked at for it for ever", () => {
    let asked = 0;
    const counting = (from: number) =>
      defineStrategy({
        name: "counts",
        state: () => ({ looks: 0 }),
        decide: () => undefined,
        worth: ({ state }) => (++asked > from ? ++(state as { looks: number }).looks : 1),
      });
    const looked = (from: number, times: number) => {
      const bench = strategyBench(counting(from), { ...BOTH, settings: { views: "reused" } });
      bench.quote("VCHF/CHF", 0.999, 1.001);
      asked = 0;
      const gains = Array.from({ length: times }, () => bench.engine.quotesGain(bench.now));
      return { asked, gains, problem: bench.engine.worthProblem };
    };
    const problem = "worth of counts must not change the state, did; it is not asked again";
    expect(looked(1, 4)).toEqual({ asked: 2, gains: [1, undefined, undefined, undefined], problem });
    expect(looked(16, 17)).toMatchObject({ asked: 17, problem: undefined });
  });

  it("is not asked for while the bot is stopped", () => {
    const bench = saying(() => 5);
    const control = { kind: "halt", cause: "other", reason: "test", wayOut: "resume" } as const;
    bench.send({ kind: "control", control, receivedAt: bench.now });
    expect(bench.worth()).toBeUndefined();
  });
});

describe("an order", () => {
  it("is worth what its limit leaves against fair value, in the currency of the limits", () => {
    const strategy = defineStrategy({
      name: "buys",
      decide: ({ quote, buy }) =>
        quote.symbol === "VGBP/GBP" && buy(quote.symbol, { limit: 0.998, size: "100", reason: "cheap" }),
      worth: () => 1,
    });
    const bench = strategyBench(strategy, BOTH);
    bench.quote("VCHF/CHF", 0.999, 1.001);
    const [decision] = bench.quote("VGBP/GBP", 0.997, 0.998).decisions;
    if (decision?.verdict.kind !== "approved") throw new Error("the order must be approved");
    const { intent } = decision.verdict;
    // 100 at 20 bp under fair are 0.2 GBP, at 1.1 CHF each.
    expect(bench.engine.gainOf?.(intent)).toBeCloseTo(0.22, 9);
  });

  it("has no worth of its own where the strategy says nothing of worth", () => {
    const silent = strategyBench(defineStrategy({ name: "silent", decide: () => undefined }), BOTH);
    expect([silent.engine.gainOf, silent.worth()]).toEqual([undefined, undefined]);
  });
});
