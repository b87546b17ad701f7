// R03 to R05: a price that leaps, that another source does not bear out, or that is of something else.

import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/domain/random.ts";
import { COIN, FX, GUARD, NOW, stage } from "./guard-stage.ts";

describe("R03: a leap", () => {
  it("of more than 1 % within a second is held for 10 s, and then stands", () => {
    const { tell, outcome, pass, complaints } = stage();
    tell(1);
    pass(1_000);
    expect(tell(1.0102)).toBe(false);
    expect([outcome(), complaints()]).toEqual(["jumping", ["one: GBP/CHF is jumping"]]);
    for (let second = 1; second < 10; second++) {
      pass(1_000);
      tell(1.0102 + second / 1e5);
      expect(outcome()).toBe("jumping");
    }
    pass(1_000);
    tell(1.0103);
    expect(outcome()).toBe("1.0103");
  });

  it("is one from a source that is asked every two seconds as well, from its second price on", () => {
    const { tell, outcome, pass } = stage();
    tell(1);
    pass(2_000);
    tell(1.02);
    expect(outcome()).toBe("jumping");
  });

  it.each([
    [105, "large"],
    [0.0105, "small"],
  ])(
    "to %s from 1.05 is none: it is refused, however long it stands and though nothing else measures it",
    (to, name) => {
      const { tell, outcome, pass, complaints } = stage({ guard: { ...GUARD, bands: new Map() } });
      tell(1.05);
      for (let second = 0; second < 30; second++) {
        pass(1_000);
        tell(to * (1 + second / 1e6));
        expect([outcome(), complaints()]).toEqual(["implausible", [`one: GBP/CHF is a hundred times too ${name}`]]);
      }
    },
  );

  it.each([1.02, 0.98])("to %s from 1 is held beside a source that stands, whose price is the value", (to) => {
    const { tell, outcome, pass, complaints } = stage();
    for (const source of ["one", "two"]) tell(1, { source });
    pass(1_000);
    tell(to);
    expect([outcome(), complaints()]).toEqual(["1.0000", ["one: GBP/CHF is jumping"]]);
  });

  it("is not confirmed by a source that leaps elsewhere, nor by one that leapt there too long ago", () => {
    const apart = stage();
    for (const source of ["one", "two"]) apart.tell(1, { source });
    apart.pass(1_000);
    for (const [mid, source] of [
      [1.02, "one"],
      [1.04, "two"],
      [1.02, "one"],
    ] as const)
      apart.tell(mid, { source });
    expect(apart.outcome()).toBe("jumping");
    const late = stage();
    for (const source of ["one", "two"]) late.tell(1, { source });
    late.tell(1.05);
    late.pass(5_001);
    late.tell(1.05, { source: "two" });
    expect(late.outcome()).toBe("jumping");
  });

  it("is not confirmed by another name of the same source", () => {
    const { tell, outcome, pass } = stage({
      origins: new Map([
        ["one", "kraken"],
        ["two", "kraken"],
      ]),
    });
    tell(1);
    tell(1, { source: "two" });
    pass(1_000);
    tell(1.02);
    tell(1.02, { source: "two" });
    tell(1.02);
    expect(outcome()).toBe("jumping");
  });

  it("of 1 % is none", () => {
    const { tell, outcome, pass } = stage();
    tell(1);
    pass(1_000);
    tell(1.0099);
    expect(outcome()).toBe("1.0099");
  });

  it("is over when the price comes back, and begins anew when it leaps on", () => {
    const { tell, outcome, pass } = stage();
    tell(1);
    tell(1.02);
    tell(1.001);
    expect(outcome()).toBe("1.0010");
    tell(1.02);
    pass(10_000);
    tell(1.05);
    pass(9_000);
    tell(1.05);
    expect(outcome()).toBe("jumping");
    pass(1_000);
    tell(1.05);
    expect(outcome()).toBe("1.0500");
  });

  it("that a second source has made is believed at once, from both", () => {
    const { tell, fair, outcome } = stage({ sourcesMin: 2 });
    tell(1);
    tell(1.0001, { source: "two" });
    tell(1.02);
    expect(outcome()).toBe("jumping");
    tell(1.0201, { source: "two" });
    tell(1.02);
    expect(fair()).toMatchObject({ kind: "fair", sources: 2 });
  });

  it("is not confirmed by a second source that is old", () => {
    const { tell, complaints, pass } = stage();
    tell(1.02, { source: "two" });
    pass(5_001);
    tell(1);
    tell(1.02);
    expect(complaints()).toEqual(["two: GBP/CHF was last heard 5 s ago, limit is 5 s", "one: GBP/CHF is jumping"]);
  });

  it("of more than ten of its usual steps is held, though it is less than 1 %", () => {
    const { tell, outcome, pass } = stage();
    const random = createRandom(3);
    let price = 1.05;
    for (let second = 0; second < 200; second++) {
      price *= 1 + random.normal() * 2e-5;
      tell(price);
      expect(outcome()).not.toBe("jumping");
      pass(1_000);
    }
    tell(price * 1.002);
    expect(outcome()).toBe("jumping");
  });

  it("is measured with the usual steps of a restless source, and with the time between them", () => {
    const { tell, outcome, pass } = stage();
    const random = createRandom(3);
    let price = 1.05;
    // 5 bp in a second are 10 in four: 100 bp in four seconds are usual, and 200 would leap for any source.
    for (let i = 0; i < 300; i++) {
      price *= 1 + random.normal() * 1e-3;
      tell(price);
      expect(outcome()).not.toBe("jumping");
      pass(4_000);
    }
    tell(price * 1.006);
    expect(outcome()).not.toBe("jumping");
    pass(4_000);
    tell(price * 1.006 * 0.985);
    expect(outcome()).toBe("jumping");
  });

  it("is measured with the time that has passed: what takes a minute is none", () => {
    const { tell, outcome, pass } = stage();
    for (let second = 0; second < 40; second++) {
      tell(1.05 + (second % 2) * 1e-5);
      pass(1_000);
    }
    pass(60_000);
    tell(1.05 * 1.004);
    expect(outcome()).toBe("1.0542");
  });
});

describe("R04: two sources", () => {
  it("that are apart by more than 0.3 % give no value, and no average", () => {
    const { tell, outcome } = stage();
    tell(1.05);
    tell(1.05 * 1.0031, { source: "two" });
    expect(outcome()).toBe("disagreeing");
    tell(1.05 * 1.0028, { source: "two" });
    expect(outcome()).toBe("1.0515");
  });

  it("are not two when one place is behind both names", () => {
    const { tell, outcome } = stage({
      sourcesMin: 2,
      origins: new Map([
        ["one", "kraken"],
        ["two", "kraken"],
      ]),
    });
    tell(1.05);
    tell(1.05, { source: "two" });
    expect(outcome()).toBe("missing");
    tell(1.05, { source: "three" });
    expect(outcome()).toBe("1.0500");
    // Either of the two is enough beside the third.
    tell(Number.NaN);
    expect(outcome()).toBe("1.0500");
  });

  it("are needed where two are asked for, for one pair or for all", () => {
    for (const settings of [{ sourcesMin: 2 }, { sourcesMinOf: new Map([[FX, 2]]) }]) {
      const { tell, outcome } = stage(settings);
      tell(1.05);
      expect(outcome()).toBe("missing");
      tell(1.0502, { source: "two" });
      expect(outcome()).toBe("1.0501");
    }
  });
});

describe("R05: a price of something else", () => {
  it.each([
    [1 / 1.05 / 1.4, "inverted"],
    [105, "a hundred times too large"],
    [0.0105, "a hundred times too small"],
    [5.5, "outside its band"],
  ])("(%s) is refused as %s by the band that was set by hand", (price, name) => {
    const { tell, outcome, complaints } = stage();
    tell(1.05);
    tell(price);
    expect([outcome(), complaints()]).toEqual(["implausible", [`one: GBP/CHF is ${name}`]]);
  });

  it("is refused by the daily rate of the ECB, which is no price itself", () => {
    const { tell, quote, outcome, complaints } = stage({ guard: { ...GUARD, bands: new Map() } });
    quote(1.05, 1.05, { source: "ecb", at: NOW - 86_400_000 });
    expect(outcome()).toBe("missing");
    tell(1.05 * 1.04);
    expect(outcome()).toBe("1.0920");
    for (const [price, name] of [
      [1.05 * 1.06, "outside its band"],
      [1 / 1.05, "inverted"],
      [105, "a hundred times too large"],
    ] as const) {
      tell(price);
      expect([outcome(), complaints()]).toEqual(["implausible", [`one: GBP/CHF is ${name}`]]);
    }
  });

  it("is not measured with a daily rate that is too old itself", () => {
    const { tell, quote, outcome } = stage();
    quote(1.5, 1.5, { source: "ecb", at: NOW - 7 * 86_400_000 });
    tell(1.05);
    expect(outcome()).toBe("1.0500");
  });

  it("is measured with the venue where the daily rate is too old, and not where it is good", () => {
    const measured = (days: number, venue: number): string => {
      const { tell, quote, outcome } = stage({ guard: { ...GUARD, bands: new Map() } });
      quote(1.05, 1.05, { source: "ecb", at: NOW - days * 86_400_000 });
      tell(venue, { source: "venue", symbol: "VGBP/VCHF" });
      tell(1.05);
      return outcome();
    };
    expect([measured(7, 1.2), measured(7, 1.06), measured(6, 1.2)]).toEqual(["implausible", "1.0500", "1.0500"]);
  });
});

describe("R05: the first price of a source", () => {
  const unbound = { guard: { ...GUARD, bands: new Map(), anchors: new Set<string>() } };
  const far = 1.05 * 1.06;

  it.each([
    ["the pair itself", FX, 1.05],
    ["coins that stand for its currencies", "VGBP/VCHF", 1.05],
    ["a coin and a currency, the other way round", "VCHF/GBP", 1 / 1.05],
  ])("is held against the venue's quote of %s, whichever came first", (_, symbol, venue) => {
    for (const isFirst of [true, false]) {
      for (const away of [far, 1.05 * 0.94]) {
        const { tell, outcome } = stage(unbound);
        if (isFirst) tell(venue, { source: "venue", symbol });
        tell(away);
        if (!isFirst) tell(venue, { source: "venue", symbol });
        expect(outcome()).toBe("implausible");
      }
      const near = stage(unbound);
      if (isFirst) near.tell(venue, { source: "venue", symbol });
      near.tell(1.05 * 1.04);
      if (!isFirst) near.tell(venue, { source: "venue", symbol });
      expect(near.outcome()).toBe("1.0920");
    }
  });

  it("is held against par where there is no quote yet, and par is no value against it", () => {
    const { tell, outcome } = stage(unbound);
    tell(1.06, { symbol: COIN });
    expect(outcome(COIN)).toBe("missing");
    tell(1, { source: "venue", symbol: COIN });
    expect(outcome(COIN)).toBe("implausible");
  });

  it("that was near once is measured with its own last one from then on: an odd quote of the venue does not blind it", () => {
    const { tell, outcome, pass } = stage(unbound);
    tell(1.05, { source: "venue", symbol: "VGBP/VCHF" });
    tell(1.05);
    pass(1_000);
    tell(1.2, { source: "venue", symbol: "VGBP/VCHF" });
    tell(1.0501);
    expect(outcome()).toBe("1.0501");
  });

  it("is believed where nothing else says what the pair costs, and where what does is old", () => {
    const { tell, outcome, pass } = stage(unbound);
    tell(1.05, { source: "venue" });
    pass(5_001);
    tell(far);
    expect(outcome()).toBe("1.1130");
  });
});

describe("a measure that is configured", () => {
  it("and is missing, or too old, is told as what it is", () => {
    const { tell, quote, complaints } = stage({ guard: { ...GUARD, measuredBy: new Map([[FX, "ecb"]]) } });
    expect(complaints()).toEqual([]);
    tell(1.05);
    expect(complaints()).toEqual(["ecb: prices of GBP/CHF are measured with no daily rate"]);
    quote(1.05, 1.05, { source: "ecb", at: NOW - 7 * 86_400_000 });
    expect(complaints()).toHaveLength(1);
    quote(1.05, 1.05, { source: "ecb", at: NOW - 86_400_000 });
    expect(complaints()).toEqual([]);
  });
});
