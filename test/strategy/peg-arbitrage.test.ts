import { describe, expect, it } from "vitest";
import { prepareBuiltIn } from "../../src/strategy/built-in.ts";
import { builtInNames } from "../../src/strategy/built-in-names.ts";
import { exitBps, pegArbitrage } from "../../src/strategy/peg-arbitrage.ts";
import { answered } from "../support/bench-venue.ts";
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
      "buy 2500 VCHF/CHF at 0.999099: ask 0.99900 is 10.0 bp under fair 1.00000, wanted 6.0",
    ]);
    both.fill();
    both.pass(20_000);
    both.quote(SYMBOL, 1.0009, 1.0015);
    // What was bought counts, and makes it ask for less: 1 + 10 x (1 - 52500 / 100002).
    expect(both.lines()).toEqual(["sell 2500 VCHF/CHF at 1.0008: bid 1.00090 is 9.0 bp over fair 1.00000, wanted 5.8"]);
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

  it("says what it has too little left of where a price would be worth an order, of all pairs at once", () => {
    const spent = strategyBench(pegArbitrage, {
      symbols: [SYMBOL, "VGBP/GBP"],
      balances: { CHF: "50000", VCHF: "3", GBP: "3", VGBP: "50000" },
      fair: { "GBP/CHF": 1.05 },
    });
    const said = () => spent.engine.host.said?.text;
    spent.quote(SYMBOL, 0.9998, 1.0002);
    expect(said()).toBeUndefined();
    // Wanted is 11 bp of the last coins: 2.97 of them would earn 0.006 at 20 bp, and an order must promise 0.05.
    spent.quote(SYMBOL, 1.002, 1.0026);
    expect(said()).toBe("has too little VCHF left to sell beyond what the limits keep back");
    spent.quote("VGBP/GBP", 0.9974, 0.998);
    const both =
      "has too little VCHF left to sell, too little GBP left to buy VGBP with beyond what the limits keep back";
    expect(said()).toBe(both);
    const since = spent.engine.host.said?.at;
    spent.quote(SYMBOL, 1.0021, 1.0027);
    spent.quote("VGBP/GBP", 0.9973, 0.9979);
    expect(spent.engine.host.said).toEqual({ text: both, at: since });
    expect(spent.lines()).toEqual([]);
    spent.restart();
    spent.quote(SYMBOL, 1.0021, 1.0027);
    expect([spent.lines(), said()]).toEqual([["strategy peg-arbitrage continues from its last safe point"], both]);
    spent.quote(SYMBOL, 0.9998, 1.0002);
    expect(said()).toBe("has too little GBP left to buy VGBP with beyond what the limits keep back");
    spent.quote("VGBP/GBP", 0.9998, 1.0002);
    expect(said()).toBe("takes any price that is worth an order");
  });

  it("proposes nothing where the limits leave less than is worth an order, however often it is woken", () => {
    // Equity is 50,000 CHF: 400 / 1,200 of it, 16,666.66, is the most of its coins.
    const limits = { depegLossBpsMax: 400, issuerLossBpsMax: "off: not measured in this test" as const };
    const full = (VCHF: string) =>
      strategyBench(pegArbitrage, { symbols: [SYMBOL], balances: { CHF: String(50000 - Number(VCHF)), VCHF }, limits });
    const none = full("16640");
    for (let i = 0; i < 80; i++) none.quote(SYMBOL, 0.9963, 0.997);
    expect(none.lines()).toEqual([]);
    expect(none.engine.host.said?.text).toContain("the limits leave 4.4");
    const some = full("16000");
    some.quote(SYMBOL, 0.9963, 0.997);
    expect(some.lines()).toHaveLength(1);
  });

  it("does not say of a little money that there is none: it is too little for what an order must promise", () => {
    const small = bench({ CHF: "300", VCHF: "0" });
    // 297 CHF at 1.5 bp would earn 0.045, and an order must promise 0.05.
    small.quote(SYMBOL, 0.9995, 0.99985);
    expect(small.lines()).toEqual([]);
    expect(small.engine.host.said?.text).toBe(
      "has too little CHF left to buy VCHF with beyond what the limits keep back",
    );
  });

  it("does not say that it waits for a price while it orders", () => {
    const both = bench({ CHF: "300", VCHF: "0" });
    both.quote(SYMBOL, 0.9995, 0.99985);
    both.quote(SYMBOL, 0.9985, 0.999);
    expect([both.lines().length, both.engine.host.said?.text]).toEqual([1, "takes any price that is worth an order"]);
  });

  it("does not call money short where the size on show is what is small", () => {
    const both = bench({ CHF: "50000", VCHF: "50000" });
    both.quote(SYMBOL, 1.002, 1.0026, { bidSize: 1, askSize: 1 });
    expect([both.lines(), both.engine.host.said]).toEqual([[], undefined]);
  });

  it("orders no more than it can pay, and nothing below the venue's minimum", () => {
    const poor = bench({ CHF: "100", VCHF: "0" });
    poor.quote(SYMBOL, 0.9983, 0.999);
    // 1 % is kept back, and 0.2 % of the rest for the fee: 99 x 0.998 / 0.999099. The gate has nothing to make smaller.
    expect(poor.lines()).toEqual([
      "buy 98.89101 VCHF/CHF at 0.999099: ask 0.99900 is 10.0 bp under fair 1.00000, wanted 1.0",
    ]);
    const broke = bench({ CHF: "0.05", VCHF: "0" });
    broke.quote(SYMBOL, 0.9983, 0.999);
    expect(broke.lines()).toEqual([]);
  });

  it("does nothing without a fair value: outside the peg band par is no price", () => {
    const both = bench({ CHF: "50000", VCHF: "50000" });
    both.quote(SYMBOL, 0.99, 0.9902);
    expect(both.lines()).toEqual([]);
  });

  it("leaves the reserve of the limits alone instead of asking for it again and again", () => {
    const spent = bench({ CHF: "25000", VCHF: "25000" }, { pauseMs: 0, size: 10_000, skewBps: 0 });
    for (let look = 0; look < 6; look++) {
      spent.quote(SYMBOL, 1.001 + look / 1e5, 1.0015);
      answered(spent, "fill");
      spent.pass(20_000);
    }
    const proposals = spent.lines().map((line) => line.split(" at ")[0]);
    // Of 25,000 VCHF that were put in 250 stay: 4,750 less 0.2 % for the fee. What is then left would not pay for its slot.
    expect(proposals).toEqual(["sell 10000 VCHF/CHF", "sell 10000 VCHF/CHF", "sell 4740.5 VCHF/CHF"]);
  });

  it("does not order what would not pay for its slot", () => {
    // 10 bp of 40 are 0.04, less than the 0.05 that an order must promise; of 60 they are 0.06.
    const quote = [SYMBOL, 0.9983, 0.999] as const;
    const small = bench({ CHF: "50000", VCHF: "50000" }, { size: 40 });
    small.quote(...quote);
    expect(small.lines()).toEqual([]);
    const enough = bench({ CHF: "50000", VCHF: "50000" }, { size: 60 });
    enough.quote(...quote);
    expect(enough.lines()).toHaveLength(1);
  });

  it("trades only the pairs it is given", () => {
    const both = bench({ CHF: "50000", VCHF: "50000" }, { symbols: ["VGBP/GBP"] });
    both.quote(SYMBOL, 0.9983, 0.999);
    expect(both.lines()).toEqual([]);
  });
});

describe("peg-arbitrage with a way out", () => {
  const way = { feeBps: 2, feeFixed: 4, settlementHours: 24, minimum: 0 };
  const terms = { mint: undefined, offRamp: undefined, capitalBpsPerYear: 365 };

  it("prices the off-ramp: fee, fixed fee over all that is sent, and a day of capital", () => {
    // 365 bp a year are 1 bp a day; 4 of 40,000 are 1 bp; 2 bp of fee.
    expect(exitBps({ ...terms, offRamp: way }, "buy", { base: 40_000, quote: 0 })).toBeCloseTo(4, 10);
    // Three hours of 500 bp a year: 500 x 3 / 8760 = 0.17123.
    const fast = { ...way, feeBps: 0, feeFixed: 0, settlementHours: 3 };
    const mint = { ...terms, mint: fast, capitalBpsPerYear: 500 };
    expect(exitBps(mint, "sell", { base: 0, quote: 90_000 })).toBeCloseTo(0.171_23, 5);
  });

  it("knows no way where the treasury has none, or where there is too little for it", () => {
    expect(exitBps(terms, "buy", { base: 40_000, quote: 0 })).toBe(Number.POSITIVE_INFINITY);
    const least = { ...terms, mint: { ...way, minimum: 100_000 } };
    expect(exitBps(least, "sell", { base: 0, quote: 99_999 })).toBe(Number.POSITIVE_INFINITY);
    expect(exitBps(least, "sell", { base: 0, quote: 100_000 })).toBeLessThan(4);
  });

  it("buys with a full account as long as redeeming still earns, and not a basis point above", () => {
    // Nine tenths are coin: without a way out 1 + 9 bp are wanted; redeeming 90,000 costs 2 + 4 / 9 + 1 = 3.4 bp.
    const full = { CHF: "10000", VCHF: "90000" };
    const redeeming = { offRamp: way, capitalBpsPerYear: 365 };
    const alone = bench(full);
    alone.quote(SYMBOL, 0.999, 0.9995);
    expect(alone.lines()).toEqual([]);
    const both = bench(full, redeeming);
    both.quote(SYMBOL, 0.999, 0.99957);
    expect(both.lines()).toEqual([]);
    both.quote(SYMBOL, 0.999, 0.9995);
    expect(both.lines()).toEqual([expect.stringContaining("5.0 bp under fair 1.00000, wanted 4.4")]);
  });

  it("sells its last coins for little more than what minting them anew costs, once there is enough for a mint", () => {
    const mint = { feeBps: 1, settlementHours: 24, minimum: 80_000 };
    // One tenth is coin: 1 + 9 bp without a mint, 1 + 1 + 500 / 365 = 3.4 bp with one.
    const rich = bench({ CHF: "90000", VCHF: "10000" }, { mint });
    rich.quote(SYMBOL, 1.0004, 1.001);
    expect(rich.lines()).toEqual([expect.stringContaining("4.0 bp over fair 1.00000, wanted 3.4")]);
    const poor = bench({ CHF: "9000", VCHF: "1000" }, { mint });
    poor.quote(SYMBOL, 1.0004, 1.001);
    expect(poor.lines()).toEqual([]);
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
