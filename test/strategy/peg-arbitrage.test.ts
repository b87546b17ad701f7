import { describe, expect, it } from "vitest";
import { builtInNames, prepareBuiltIn } from "../../src/strategy/built-in.ts";
import { pegArbitrage } from "../../src/strategy/peg-arbitrage.ts";
import { strategyBench } from "../support/strategy-bench.ts";

const SYMBOL = "VCHF/CHF";

function bench(balances: Readonly<Record<string, string>>, params: Readonly<Record<string, unknown>> = {}) {
  return strategyBench(pegArbitrage, { symbols: [SYMBOL], balances, params });
}

describe("peg-arbitrage", () => {
  it("buys below par and sells above it, with the edge and what was wanted in the reason", () => {
    const both = bench({ CHF: "50000", VCHF: "50000" });
    // Half of the money is in the coin: 1 bp of edge, and half of the skew of 10 bp.
    both.quote(SYMBOL, 0.9983, 0.999);
    // Wanted is 6 bp, so the limit is the slack of 1 bp beyond the price on show.
    expect(both.lines()).toEqual([
      "buy 2500 VCHF/CHF at 0.99909: ask 0.99900 is 10.0 bp under fair 1.00000, wanted 6.0",
    ]);
    both.fill();
    both.pass(20_000);
    both.quote(SYMBOL, 1.0009, 1.0015);
    // What was bought counts as spent at once, and as held when the venue's balances show it: 1 + 10 x (1 - 50000 / 97502).
    expect(both.lines()).toEqual(["sell 2500 VCHF/CHF at 1.0008: bid 1.00090 is 9.0 bp over fair 1.00000, wanted 5.9"]);
  });

  it("leaves a price alone that does not beat fee and edge", () => {
    const both = bench({ CHF: "50000", VCHF: "50000" }, { skewBps: 0, edgeBps: 2, feeBps: 5 });
    both.quote(SYMBOL, 0.999, 0.99931);
    both.quote(SYMBOL, 1.00069, 1.001);
    expect(both.lines()).toEqual([]);
    both.quote(SYMBOL, 0.999, 0.99929);
    expect(both.lines()).toHaveLength(1);
  });

  it("never lets a limit go past what the trade must leave", () => {
    const both = bench({ CHF: "50000", VCHF: "50000" }, { skewBps: 0, edgeBps: 10, slackBps: 50 });
    both.quote(SYMBOL, 0.998, 0.9985);
    expect(both.lines()).toEqual([expect.stringContaining("buy 2500 VCHF/CHF at 0.999:")]);
    both.fill();
    both.pass(20_000);
    both.quote(SYMBOL, 1.0015, 1.002);
    expect(both.lines()).toEqual([expect.stringContaining("sell 2500 VCHF/CHF at 1.001:")]);
  });

  it("asks more of the next purchase the more of the coin it holds", () => {
    const quote = [SYMBOL, 0.999, 0.9994] as const; // 6 bp under par
    const poor = bench({ CHF: "90000", VCHF: "10000" });
    poor.quote(...quote);
    expect(poor.lines()).toHaveLength(1);
    const full = bench({ CHF: "10000", VCHF: "90000" });
    full.quote(...quote);
    expect(full.lines()).toEqual([]);
  });

  it("waits for the order that is open, and pauses after it", () => {
    const both = bench({ CHF: "50000", VCHF: "50000" }, { pauseMs: 10_000 });
    both.quote(SYMBOL, 0.9983, 0.999);
    expect(both.lines()).toHaveLength(1);
    both.pass(20_000);
    both.quote(SYMBOL, 0.9983, 0.999);
    expect(both.lines()).toEqual([]);
    both.fill();
    both.quote(SYMBOL, 0.9983, 0.9991);
    expect(both.lines()).toHaveLength(1);
    both.fill();
    both.quote(SYMBOL, 0.9983, 0.9989);
    expect(both.lines()).toEqual([]);
  });

  it("orders no more than it can pay, and nothing below the venue's minimum", () => {
    const poor = bench({ CHF: "100", VCHF: "0" });
    poor.quote(SYMBOL, 0.9983, 0.999);
    // 100 / 0.999 is 100.10; the gate keeps 1 % and the fee budget back.
    expect(poor.lines()).toEqual([expect.stringMatching(/^buy 98\.\d+ VCHF\/CHF .*capped by RC17$/)]);
    const broke = bench({ CHF: "5", VCHF: "0" });
    broke.quote(SYMBOL, 0.9983, 0.999);
    expect(broke.lines()).toEqual([]);
  });

  it("does nothing without a fair value: outside the peg band par is no price", () => {
    const both = bench({ CHF: "50000", VCHF: "50000" });
    both.quote(SYMBOL, 0.99, 0.9902);
    expect(both.lines()).toEqual([]);
  });

  it("trades only the pairs it is given", () => {
    const both = bench({ CHF: "50000", VCHF: "50000" }, { symbols: ["VGBP/GBP"] });
    both.quote(SYMBOL, 0.9983, 0.999);
    expect(both.lines()).toEqual([]);
  });
});

describe("what peg-arbitrage says of the next look", () => {
  const both = { CHF: "50000", VCHF: "50000" };

  it("is the edge times the size once a price is good enough, and nothing while the order is out and the pause lasts", () => {
    const one = bench(both, { pauseMs: 3_000 });
    one.quote(SYMBOL, 0.9983, 0.999);
    expect(one.lines()).toHaveLength(1);
    expect(one.worth()).toBe(0);
    one.reject();
    expect(one.worth()).toBe(0);
    one.pass(3_000);
    // 2500 at 10 bp are 2.50; a quote that is 4 s old is hardly less certain.
    expect(one.worth()).toBeCloseTo(2.5, 1);
  });

  it("grows as the price comes near what is wanted, and with the age of the quote where it is short of it", () => {
    const near = bench(both);
    near.quote(SYMBOL, 0.999, 0.9995); // 5 bp under par, 6 wanted
    const young = near.worth() ?? 0;
    near.pass(4_000);
    const old = near.worth() ?? 0;
    expect(young).toBeLessThan(old);
    const far = bench(both);
    far.quote(SYMBOL, 0.9998, 1.0002);
    far.pass(4_000);
    expect(far.worth() ?? 0).toBeLessThan(old / 10);
  });

  it("is no word at all for pairs that are not its own, and without a fair value", () => {
    const other = bench(both, { symbols: ["VGBP/GBP"] });
    other.quote(SYMBOL, 0.998, 0.999);
    expect(other.worth()).toBeUndefined();
    const off = bench(both);
    off.quote(SYMBOL, 0.99, 0.9902);
    expect(off.worth()).toBeUndefined();
  });

  it("is nothing for what cannot be paid", () => {
    const broke = bench({ CHF: "5", VCHF: "5" });
    broke.quote(SYMBOL, 0.998, 0.999);
    expect(broke.worth()).toBe(0);
  });
});

describe("built-in strategies", () => {
  it("are known by the names they carry, and refuse a parameter they do not have", () => {
    expect(builtInNames.map((name) => prepareBuiltIn(name, {}))).toEqual(
      builtInNames.map((name) => expect.objectContaining({ ok: true, value: expect.objectContaining({ name }) })),
    );
    expect(prepareBuiltIn("peg-arbitrage", { edge: 1 })).toEqual({
      ok: false,
      error: expect.stringContaining("params has no edge"),
    });
  });
});
