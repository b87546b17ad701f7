// What is done about each fault of a reference feed, R01 to R08; R03 to R05 are in guard-leap.test.ts, R09 and R10 with the readers.

import { describe, expect, it } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { FxWeek } from "../../src/market/fx-week.ts";
import { Rates } from "../../src/market/rate.ts";
import { COIN, GUARD, NOW, stage } from "./guard-stage.ts";

describe("what is wrong with a feed is said with its figures", () => {
  it("a clock that is behind", () => {
    const { tell, outcome, complaints } = stage();
    tell(1.05, { at: NOW - 30_000 });
    expect([outcome(), complaints()]).toEqual([
      "stale",
      ["one: GBP/CHF is 30 s old by the feed's own clock, limit is 5 s"],
    ]);
  });

  it("who says what, where they disagree", () => {
    const { tell, outcome, complaints } = stage({ sourcesMin: 2 });
    tell(1.05);
    tell(1.06, { source: "two" });
    expect([outcome(), complaints()]).toEqual([
      "disagreeing",
      [
        "one: GBP/CHF is 1.05000, and two says 1.06000: limit is 30 bp apart",
        "two: GBP/CHF is 1.06000, and one says 1.05000: limit is 30 bp apart",
      ],
    ]);
  });

  it("a first price that is far from all that is known", () => {
    const { tell, quote, complaints } = stage({ guard: { ...GUARD, bands: new Map() } });
    quote(1.04, 1.06, { source: "venue", symbol: "VGBP/VCHF" });
    tell(1.2);
    expect(complaints()).toEqual(["one: GBP/CHF is 1.20000, far from the venue's quotes or par"]);
  });

  it("but not that prices stand still while the markets are closed", () => {
    const saturday = Date.UTC(2026, 10, 14, 12);
    const { tell, outcome, complaints, pass, pricing } = stage(
      { weekend: { week: new FxWeek(), collarBps: undefined } },
      saturday,
    );
    tell(1.05);
    pass(70_000);
    tell(1.05);
    expect([outcome(), complaints(), pricing.closedUntil()]).toEqual(["closed", [], Date.UTC(2026, 10, 15, 22)]);
    pass(2 * 86_400_000);
    expect(pricing.closedUntil()).toBeUndefined();
  });
});

describe("R01: a feed that has stopped", () => {
  it("is not believed 5 s after its last price", () => {
    const { tell, outcome, pass } = stage();
    tell(1.05);
    pass(5_000);
    expect(outcome()).toBe("1.0500");
    pass(1);
    expect(outcome()).toBe("stale");
  });

  it("is as old as its own time says, however new its arrival", () => {
    const { tell, outcome } = stage();
    tell(1.05, { at: NOW - 5_001 });
    expect(outcome()).toBe("stale");
    tell(1.05, { at: NOW - 5_000 });
    expect(outcome()).toBe("1.0500");
  });

  it("is not believed when it repeats the same value with ever new times", () => {
    const { tell, outcome, pass } = stage();
    for (let second = 0; second <= 60; second++) {
      tell(1.05, { at: NOW + second * 1_000 });
      expect(outcome()).toBe("1.0500");
      pass(1_000);
    }
    tell(1.05);
    expect(outcome()).toBe("frozen");
    tell(1.0501);
    expect(outcome()).toBe("1.0501");
  });

  it("does not come back to life by a price from before its last", () => {
    const { tell, outcome, pass } = stage();
    tell(1.05, { at: NOW - 100 });
    pass(100);
    tell(1.06, { at: NOW - 200 });
    expect(outcome()).toBe("1.0500");
    // Told again without a time, it does not make the next one late.
    tell(1.05);
    tell(1.051, { at: NOW - 50 });
    expect(outcome()).toBe("1.0510");
  });

  it("is not stopped by a time of its own that was ahead of ours once", () => {
    const { tell, outcome, pass } = stage();
    tell(1.05, { at: NOW + 3_600_000 });
    pass(100);
    tell(1.051, { at: NOW + 100 });
    expect(outcome()).toBe("1.0510");
  });

  it("does not stand still while one side of its price moves", () => {
    for (const [bidStep, askStep] of [
      [0, 1e-6],
      [1e-6, 0],
    ] as const) {
      const { quote, fair, pass } = stage();
      for (let second = 0; second <= 61; second++) {
        pass(1_000);
        quote(1.05 + second * bidStep, 1.051 + second * askStep);
      }
      expect(fair().kind).toBe("fair");
    }
  });
});

describe("R01: how long a price may stand still", () => {
  it("is a matter of its source", () => {
    const { tell, outcome, pass } = stage({ frozenMsMaxOf: new Map([["slow GBP/CHF", 120_000]]) });
    for (let i = 0; i < 31; i++) {
      tell(1.05);
      tell(1.05, { source: "slow" });
      pass(2_000);
    }
    expect(outcome()).toBe("1.0500");
    const alone = stage({ frozenMsMaxOf: new Map([["one GBP/CHF", 20_000]]) });
    for (let i = 0; i < 12; i++) {
      alone.tell(1.05);
      alone.pass(2_000);
    }
    expect(alone.outcome()).toBe("frozen");
  });
});

describe("R02: a price that is crossed, locked, zero or negative", () => {
  it.each([
    [1.06, 1.05, "crossed", "crossed"],
    [1.05, 1.05, "locked", "crossed"],
    [0, 1.05, "zero", "missing"],
    [-1.05, 1.05, "negative", "missing"],
    [Number.NaN, 1.05, "not a number", "missing"],
    [1.05, Number.POSITIVE_INFINITY, "not a number", "missing"],
  ])("(%s to %s) is refused as %s, and the one before it is not used in its place", (bid, ask, name, reason) => {
    const { tell, quote, outcome, complaints } = stage();
    tell(1.05);
    expect(quote(bid, ask)).toBe(false);
    expect([outcome(), complaints()]).toEqual([reason, [`one: GBP/CHF is ${name}`]]);
    tell(1.05);
    expect([outcome(), complaints()]).toEqual(["1.0500", []]);
  });

  it("three times in a row makes the feed bad, until it was good three times", () => {
    const { tell, quote, outcome, complaints } = stage();
    tell(1.05);
    for (let i = 0; i < 3; i++) quote(1.06, 1.05);
    for (let i = 0; i < 2; i++) {
      tell(1.05);
      expect([outcome(), complaints()]).toEqual(["crossed", ["one: GBP/CHF is not good for long enough yet"]]);
    }
    quote(1.06, 1.05);
    for (let i = 0; i < 2; i++) tell(1.05);
    expect(outcome()).toBe("crossed");
    tell(1.05);
    expect(outcome()).toBe("1.0500");
    tell(1.0502);
    expect(outcome()).toBe("1.0502");
  });

  it("is none of a source that has one price where others have two", () => {
    const { quote, outcome } = stage({ guard: { ...GUARD, onePrice: new Set(["one"]) } });
    quote(1.05, 1.05);
    quote(1.05, 1.05, { source: "two", symbol: "EUR/CHF" });
    expect([outcome(), outcome("EUR/CHF")]).toEqual(["1.0500", "crossed"]);
  });

  it("three times, but not in a row, does not", () => {
    const { tell, quote, outcome } = stage();
    for (const times of [2, 2]) {
      for (let i = 0; i < times; i++) quote(1.06, 1.05);
      tell(1.05);
      expect(outcome()).toBe("1.0500");
    }
  });
});

describe("R06: without a source", () => {
  it("there is no value and no rate, and never 1", () => {
    const { pricing, outcome } = stage();
    const rates = new Rates(pricing, "CHF" as Asset);
    expect(outcome()).toBe("missing");
    expect(outcome(COIN)).toBe("missing");
    expect([rates.float("GBP" as Asset), rates.exact("VCHF" as Asset)]).toEqual([undefined, undefined]);
  });
});

describe("R07: while the currency markets are closed", () => {
  const week = new FxWeek(["2026-11-26"]);
  /** A Saturday. */
  const saturday = Date.UTC(2026, 10, 14, 12);

  it("nothing that rests on them has a value, however fresh the prices; what does not rest on them has", () => {
    const { tell, quote, outcome } = stage({ weekend: { week, collarBps: undefined } }, saturday);
    tell(1.05);
    tell(40_000, { symbol: "BTC/USD" });
    quote(0.9995, 1.0005, { source: "venue", symbol: COIN });
    quote(1, 1.0004, { source: "venue", symbol: "VCHF/GBP" });
    expect([outcome(), outcome("VCHF/GBP"), outcome(COIN), outcome("BTC/USD")]).toEqual([
      "closed",
      "closed",
      "1.0000",
      "40000.0000",
    ]);
  });

  it("nor has a pair whose source derives it over them, though it is no pair of currencies", () => {
    const weekly = new Set(["one USDC/CHF"]);
    const usdc = (collarBps: number | undefined) => {
      const { tell, fair } = stage({ weekend: { week, collarBps }, weekly }, saturday);
      tell(0.8, { symbol: "USDC/CHF" });
      return fair("USDC/CHF");
    };
    expect(usdc(undefined)).toEqual({ kind: "none", reason: "closed" });
    expect(usdc(10)).toMatchObject({ kind: "fair", collarBps: 10 });
    const { tell, outcome } = stage({ weekend: { week, collarBps: undefined }, weekly }, saturday);
    tell(0.8, { symbol: "USDC/CHF", source: "another" });
    expect(outcome("USDC/CHF")).toBe("0.8000");
  });

  it("or it has one with a collar of its own, and the age limit stays", () => {
    const { tell, fair, pass, outcome } = stage({ weekend: { week, collarBps: 10 } }, saturday);
    tell(1.05);
    expect(fair()).toMatchObject({ kind: "fair", collarBps: 10 });
    pass(5_001);
    expect(outcome()).toBe("stale");
    // A cross has it too, and on Monday nothing has.
    const [pound, dollar] = [{ symbol: "EUR/GBP" }, { symbol: "USD/EUR" }];
    for (const collarBps of [10, undefined]) {
      tell(collarBps === undefined ? 0.9 : 0.9001, pound);
      tell(collarBps === undefined ? 1.1 : 1.1001, dollar);
      expect(fair("USD/GBP")).toMatchObject({ kind: "fair", collarBps });
      expect(fair("EUR/GBP")).toMatchObject({ kind: "fair", collarBps });
      pass(2 * 86_400_000);
    }
  });

  it.each([
    ["2026-11-13T21:59:59Z", false, "Friday before 17:00 in New York"],
    ["2026-11-13T22:00:00Z", true, "Friday at 17:00"],
    ["2026-11-15T21:59:59Z", true, "Sunday before 17:00"],
    ["2026-11-15T22:00:00Z", false, "Sunday at 17:00"],
    ["2026-07-10T20:59:59Z", false, "Friday in summer, an hour earlier"],
    ["2026-07-10T21:00:00Z", true, "Friday in summer at 17:00"],
    ["2026-07-12T21:00:00Z", false, "Sunday in summer at 17:00"],
    ["2026-03-08T21:00:00Z", false, "the Sunday on which summer time begins"],
    ["2026-11-01T21:30:00Z", true, "the Sunday on which it ends"],
    ["2026-12-25T12:00:00Z", true, "Christmas"],
    ["2026-12-24T22:00:00Z", true, "the evening before, which is the next trading day"],
    ["2027-01-01T12:00:00Z", true, "New Year"],
    ["2026-11-26T12:00:00Z", true, "a day that was named"],
    ["2026-11-25T12:00:00Z", false, "a day that was not"],
  ])("at %s they are closed: %s (%s)", (time, closed) => {
    expect(week.isClosed(Date.parse(time))).toBe(closed);
    // In any order of asking.
    week.isClosed(NOW);
    expect(week.isClosed(Date.parse(time))).toBe(closed);
  });
});

describe("R08: a coin away from its fiat", () => {
  it("has no fair value by par, nor has what rests on it", () => {
    const { pricing, quote, tell, outcome } = stage();
    tell(1.05);
    quote(0.9999, 1.0001, { source: "venue", symbol: "VCHF/GBP" });
    quote(0.9996, 1.0004, { source: "venue", symbol: COIN });
    expect([outcome(COIN), outcome("VCHF/GBP")]).toEqual(["1.0000", "0.9524"]);
    quote(0.99, 0.9905, { source: "venue", symbol: COIN });
    expect([outcome(COIN), outcome("VCHF/GBP")]).toEqual(["off-peg", "off-peg"]);
    // The band that was left is named, also by what rests on the coin.
    const fairOf = (symbol: string) => pricing.fair(pricing.pair(symbol as PairSymbol));
    expect([fairOf(COIN), fairOf("VCHF/GBP")]).toMatchObject([{ limit: 50 }, { limit: 50 }]);
  });
});

describe("R08: par", () => {
  it("does not stand against a reference that leaps away from it, or that its pair cannot cost", () => {
    const { tell, quote, outcome, pass } = stage({
      guard: { ...GUARD, bands: new Map([[COIN as PairSymbol, { low: 0.9, high: 1.1 }]]) },
    });
    const told = { symbol: COIN };
    quote(0.9996, 1.0004, { source: "venue", symbol: COIN });
    tell(1, told);
    expect(outcome(COIN)).toBe("1.0000");
    pass(1_000);
    tell(0.97, told);
    expect(outcome(COIN)).toBe("jumping");
    tell(0.85, told);
    expect(outcome(COIN)).toBe("implausible");
    tell(1, told);
    expect(outcome(COIN)).toBe("1.0000");
  });
});
