// Prices that are worked out from others: the ways around a pair, what a source derives, and crosses.

import { Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { QuoteEvent } from "../../src/domain/event.ts";
import { millis } from "../../src/domain/time.ts";
import { waysBetween } from "../../src/market/cross.ts";
import { withDerived } from "../../src/market/feed/derived.ts";
import type { GuardSettings } from "../../src/market/guard.ts";
import { Rates } from "../../src/market/rate.ts";
import { COIN, FX, GUARD, stage } from "./guard-stage.ts";

describe("a way around a pair", () => {
  const [POUND, FRANC] = ["GBP/USD" as PairSymbol, "USD/CHF" as PairSymbol];
  const par = new Map([COIN, "VGBP/GBP" as PairSymbol].map((symbol) => [symbol, { bandBps: 50 }] as const));
  const CROSS = "VGBP/VCHF";
  const around = (guard: Partial<GuardSettings>) => {
    const staged = stage({ par, guard: { ...GUARD, bands: new Map(), ...guard } });
    const rates = new Rates(staged.pricing, "CHF" as Asset);
    const tellAll = (pound: number, franc: number): void => {
      for (const symbol of par.keys()) staged.tell(1, { source: "venue", symbol });
      staged.tell(pound, { symbol: POUND });
      staged.tell(franc, { symbol: FRANC });
    };
    const worth = (): unknown[] => [
      ...["GBP", "VGBP"].map((asset) => rates.float(asset as Asset)),
      staged.outcome(CROSS),
    ];
    return { ...staged, tellAll, worth, rates };
  };

  it.each([
    ["straight", FX, { low: 1, high: 1.15 }],
    ["turned over", "CHF/GBP" as PairSymbol, { low: 0.87, high: 1 }],
  ])("makes no rate and no fair value outside the band that is set for the pair, %s", (_, symbol, band) => {
    const { tellAll, worth, pass } = around({ bands: new Map([[symbol, band]]), leapBps: 1_000 });
    tellAll(1.32, 0.85);
    expect(worth()).toEqual([expect.closeTo(1.122, 6), expect.closeTo(1.122, 6), "1.1220"]);
    // 1.36 x 0.86 = 1.1696: no leg is refused by itself.
    pass(1_000);
    tellAll(1.36, 0.86);
    expect(worth()).toEqual([undefined, undefined, "implausible"]);
  });

  it("makes none far from the daily rate of the pair, until it is near again", () => {
    const { tell, tellAll, worth, pass, rates } = around({ measuredBy: new Map([[FX, "ecb"]]), leapBps: 1_000 });
    tell(1.12, { source: "ecb", symbol: FX, spread: 0 });
    tellAll(1.32, 0.85);
    expect(worth()).toEqual([expect.closeTo(1.122, 6), expect.closeTo(1.122, 6), "1.1220"]);
    // 1.36 x 0.876 = 1.191, 6.4 % from 1.12; 5 % are the limit.
    pass(1_000);
    tellAll(1.36, 0.876);
    expect([...worth(), rates.float("USD" as Asset)]).toEqual([undefined, undefined, "implausible", 0.876]);
    pass(1_000);
    tellAll(1.33, 0.85);
    expect(worth()).toEqual([expect.closeTo(1.1305, 6), expect.closeTo(1.1305, 6), "1.1305"]);
    // Another daily rate counts at once, though no other price was heard.
    tell(1.02, { source: "ecb", symbol: FX, spread: 0 });
    expect(worth()).toEqual([undefined, undefined, "implausible"]);
  });
});

describe("a price that a source works out from its others", () => {
  const [POUND, FRANC] = ["GBP/USD", "USD/CHF"];
  const bands = new Map([[FRANC as PairSymbol, { low: 0.7, high: 0.95 }]]);
  const legsOf = new Map(["one", "two"].map((name) => [`${name} ${FX}`, [POUND, FRANC] as PairSymbol[]] as const));
  const derived = (guard: Partial<GuardSettings> = {}) => {
    const staged = stage({ legsOf, guard: { ...GUARD, bands, ...guard } });
    staged.tell(1.33, { symbol: POUND });
    /** As the reader of a source tells it: the leg, and at once what follows from it. */
    const franc = (mid: number, source = "one") => {
      staged.tell(mid, { symbol: FRANC, source });
      staged.tell(1.33 * mid, { source });
    };
    return { ...staged, franc };
  };

  it("is not believed while a leg is outside its band, though two sources say so and for long", () => {
    const { franc, outcome, pass, tell } = derived();
    franc(0.8);
    franc(0.8, "two");
    expect(outcome()).toBe("1.0640");
    for (let second = 0; second < 30; second++) {
      pass(1_000);
      for (const source of ["one", "two"]) franc(1.25, source);
      expect(["jumping", "implausible"]).toContain(outcome());
    }
    expect(outcome()).toBe("implausible");
    // What it has no hand in is as it was.
    tell(1.06, { source: "three" });
    expect(outcome()).toBe("1.0600");
  });

  it("nor while a leg is crossed or leaps, and comes back with it", () => {
    const { franc, outcome, quote, tell, pass } = derived({ holdMs: 3_000 });
    franc(0.8);
    quote(0.801, 0.8, { symbol: FRANC });
    tell(1.064);
    expect(outcome()).toBe("crossed");
    franc(0.8);
    expect(outcome()).toBe("1.0640");
    for (let second = 0; second < 4; second++) {
      expect(outcome()).toBe(second === 0 ? "1.0640" : "jumping");
      pass(1_000);
      franc(0.85);
    }
    // Both have stood for long enough, and at the same moment.
    expect(outcome()).toBe("1.1305");
  });

  it("that leapt and is back while its legs are held confirms no leap of another", () => {
    const { franc, outcome, pass, tell } = derived();
    franc(0.8);
    tell(1.064, { source: "three" });
    pass(1_000);
    franc(0.85);
    pass(1_000);
    // The other leg leaps against it: what both come to is as before, and rests on two prices that nobody believes.
    tell((1.33 * 0.8) / 0.85, { symbol: POUND });
    tell(1.064);
    tell(1.1305, { source: "three" });
    expect(outcome()).toBe("jumping");
  });

  it("is frozen or old, and not unreadable, where a leg is; it has no strike for it", () => {
    const { franc, outcome, pass, quote, tell, pricing, complaints } = derived();
    const none = () => quote(Number.NaN, Number.NaN);
    const guard = () => pricing.pairs.get(FX)?.guards[0];
    franc(0.8);
    for (let second = 0; second < 61; second++) {
      pass(1_000);
      for (const [symbol, mid] of [
        [POUND, 1.33],
        [FRANC, 0.8 + second / 1e5],
      ] as const)
        tell(mid, { symbol });
    }
    none();
    expect([outcome(), guard()?.isBad, complaints()]).toEqual([
      "frozen",
      false,
      ["one: GBP/USD has stood still for 61 s, limit is 60 s"],
    ]);
    pass(6_000);
    tell(1.331, { symbol: POUND });
    for (let i = 0; i < 4; i++) none();
    expect([outcome(), guard()?.isBad]).toEqual(["stale", false]);
    franc(0.801);
    expect([outcome(), complaints()]).toEqual(["1.0653", []]);
  });

  it("has none before both legs are heard", () => {
    const { quote, outcome, complaints } = stage({ legsOf });
    quote(Number.NaN, Number.NaN);
    expect([outcome(), complaints()]).toEqual(["missing", []]);
  });

  it("is judged by the legs of the way that it took, and not by those of one that it left", () => {
    const [EURO, EURO_FRANC] = ["EUR/GBP", "EUR/CHF"];
    const { pricing, outcome, pass } = stage({
      legsOf: new Map([[`one ${FX}`, [POUND, FRANC, EURO, EURO_FRANC] as PairSymbol[]]]),
      guard: { ...GUARD, bands: new Map([[FRANC as PairSymbol, { low: 0.81, high: 0.95 }]]) },
    });
    const told$ = new Subject<QuoteEvent>();
    const symbols = new Set([POUND, FRANC, EURO, EURO_FRANC] as PairSymbol[]);
    withDerived(told$, symbols, [FX]).subscribe((quote) => pricing.pair(quote.symbol).observe(quote));
    const say = (symbol: string, mid: number, spread: number): void =>
      told$.next({
        kind: "quote",
        symbol: symbol as PairSymbol,
        bid: mid * (1 - spread / 2),
        ask: mid * (1 + spread / 2),
        bidSize: undefined,
        askSize: undefined,
        source: "one",
        at: undefined,
        receivedAt: millis(pricing.moment.now),
      });
    say(POUND, 1.33, 0.0002);
    say(EURO_FRANC, 0.931, 0.0001);
    say(EURO, 0.875, 0.0001);
    // 0.931 / 0.875, over euros alone: the franc is not heard yet.
    expect(outcome()).toBe("1.0640");
    for (let second = 0; second < 3; second++) {
      pass(1_000);
      say(FRANC, 0.8, 0.0002);
      expect(outcome()).toBe("1.0640");
    }
    // Narrower than the other two together, its way is taken, and its legs count.
    say(FRANC, 0.8, 0.00001);
    say(POUND, 1.33, 0.00001);
    expect(outcome()).toBe("implausible");
  });

  it("is its own where the source does not say that it was worked out", () => {
    const { franc, outcome } = derived();
    franc(1.2, "three");
    expect(outcome()).toBe("1.5960");
  });
});

describe("a cross", () => {
  const [A, B] = ["GBP/USD", "USD/CHF"] as const;

  it("is as old as its oldest leg, as doubtful as all legs together, and needs the sources on each", () => {
    const { tell, fair, pass } = stage({ sourcesMin: 2 });
    for (const source of ["one", "two"]) tell(1.3125, { symbol: A, source, spread: 0.0004 });
    pass(1_000);
    tell(0.8, { symbol: B, source: "one" });
    tell(0.8004, { symbol: B, source: "two" });
    const found = fair();
    expect(found).toMatchObject({ kind: "fair", sources: 2, ageMs: 1_000 });
    if (found.kind !== "fair") return;
    expect(found.value).toBeCloseTo(1.3125 * 0.8002, 12);
    // 0.0004 of 0.8002, and 4 + 2 bp.
    expect(found.disagreementBps).toBeCloseTo(4.999, 2);
    expect(found.spreadBps).toBeCloseTo(6, 6);
  });

  it.each([
    [A, B],
    [B, A],
  ])(
    "has the sources of its weaker leg and the doubts of both, with two sources of %s and one of %s",
    (strong, weak) => {
      const { tell, fair } = stage();
      tell(0.9, { symbol: weak });
      tell(0.9, { symbol: strong });
      tell(0.9 * 1.0004, { symbol: strong, source: "two" });
      expect(fair()).toMatchObject({ kind: "fair", sources: 1, disagreementBps: expect.closeTo(4, 2) });
    },
  );

  it("needs more sources where the pair itself does", () => {
    const { tell, outcome } = stage({ sourcesMinOf: new Map([[FX, 2]]) });
    tell(1.3125, { symbol: A });
    tell(0.8, { symbol: B });
    expect(outcome()).toBe("missing");
    tell(1.3125, { symbol: A, source: "two" });
    expect(outcome()).toBe("missing");
    tell(0.8, { symbol: B, source: "two" });
    expect(outcome()).toBe("1.0500");
  });

  it("meets no asset twice on any of its ways, of which the shorter come first, and else those before others by name", () => {
    const pairs = ["GBP/USD", "USD/CHF", "GBP/EUR", "EUR/CHF", "EUR/USD", "CHF/EUR"].map((symbol) => ({
      symbol: symbol as PairSymbol,
    }));
    const ways = waysBetween(FX, pairs).map((way) => way.map(({ prices }) => prices.symbol).join(" "));
    expect(ways).toEqual([
      "GBP/EUR CHF/EUR",
      "GBP/EUR EUR/CHF",
      "GBP/USD USD/CHF",
      "GBP/EUR EUR/USD USD/CHF",
      "GBP/USD EUR/USD CHF/EUR",
      "GBP/USD EUR/USD EUR/CHF",
    ]);
  });

  it("turns legs over, and is missing with any one of them", () => {
    const { tell, outcome, pass } = stage();
    tell(1 / 1.3125, { symbol: "USD/GBP" });
    expect(outcome()).toBe("missing");
    tell(1 / 0.8, { symbol: "CHF/USD" });
    expect(outcome()).toBe("1.0500");
    pass(5_001);
    tell(1 / 0.8, { symbol: "CHF/USD" });
    expect(outcome()).toBe("stale");
  });

  it("takes the surest of several ways, and goes round no circle", () => {
    const { tell, outcome } = stage();
    tell(1.3, { symbol: A, spread: 0.004 });
    tell(0.8, { symbol: B });
    tell(1.15, { symbol: "GBP/EUR" });
    tell(0.9045, { symbol: "EUR/CHF" });
    tell(1.13, { symbol: "EUR/USD" });
    expect(outcome()).toBe((1.15 * 0.9045).toFixed(4));
  });

  it("takes the freshest of equal ways, and says the age, the spread and the sources of that one", () => {
    const ways = [
      [A, B, 1.3125, 0.8],
      ["GBP/EUR", "EUR/CHF", 1.25, 0.84],
    ] as const;
    for (const [old, fresh] of [ways, ways.toReversed()] as const) {
      const { tell, fair, pass } = stage();
      const told = ([first, second, one, other]: (typeof ways)[number], spread: number): void => {
        tell(one, { symbol: first, spread });
        tell(other, { symbol: second, spread });
      };
      told(old as (typeof ways)[number], 0.0002);
      pass(4_000);
      told(fresh as (typeof ways)[number], 0.00021);
      const [first, second, one, other] = fresh as (typeof ways)[number];
      tell(one, { symbol: first, spread: 0.00021, source: "two" });
      tell(other, { symbol: second, spread: 0.00021, source: "two" });
      expect(fair()).toMatchObject({ kind: "fair", ageMs: 0, sources: 2, spreadBps: expect.closeTo(4.2, 6) });
    }
  });

  it("has no value while two ways come to different ones, however sure each is of itself", () => {
    const { tell, outcome, fair } = stage();
    tell(1.3, { symbol: A });
    tell(0.8, { symbol: B });
    tell(1.15, { symbol: "GBP/EUR" });
    tell(0.905, { symbol: "EUR/CHF" });
    expect(fair()).toMatchObject({ kind: "fair", disagreementBps: expect.closeTo(7.2, 1) });
    tell(1.16, { symbol: "GBP/EUR" });
    expect(outcome()).toBe("disagreeing");
  });

  it("leads to the currency of the limits over as many pairs as it takes", () => {
    const { pricing, tell, quote, pass } = stage({ par: new Map([["VGBP/GBP" as PairSymbol, { bandBps: 50 }]]) });
    const rates = new Rates(pricing, "CHF" as Asset);
    quote(0.9998, 1.0002, { source: "venue", symbol: "VGBP/GBP" });
    tell(1.3125, { symbol: A });
    pass(1);
    expect(rates.float("VGBP" as Asset)).toBe(undefined);
    tell(0.8, { symbol: B });
    pass(1);
    expect(rates.float("VGBP" as Asset)).toBeCloseTo(1.05, 9);
    expect(String(rates.exact("VGBP" as Asset))).toBe("1.05");
  });

  it("does not stand in for sources of its own that fail", () => {
    const { tell, quote, outcome } = stage();
    tell(1.3125, { symbol: A });
    tell(0.8, { symbol: B });
    quote(1.06, 1.05);
    expect(outcome()).toBe("crossed");
  });
});
