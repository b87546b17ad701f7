// What is done about each fault of a reference feed, R01 to R08; R09 and R10 are with the readers. The prices go through the
// pricing of the engine, as they do live, on paper and in backtests.

import { Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { QuoteEvent } from "../../src/domain/event.ts";
import type { Fair } from "../../src/domain/fair.ts";
import { createRandom } from "../../src/domain/random.ts";
import { millis } from "../../src/domain/time.ts";
import { complaintsOf } from "../../src/market/complaint.ts";
import { waysBetween } from "../../src/market/cross.ts";
import { createPricing, type FairSettings } from "../../src/market/fair.ts";
import { withDerived } from "../../src/market/feed/derived.ts";
import { FxWeek } from "../../src/market/fx-week.ts";
import { GUARD_DEFAULTS, type GuardSettings } from "../../src/market/guard.ts";
import { Rates } from "../../src/market/rate.ts";

const FX = "GBP/CHF" as PairSymbol;
const COIN = "VCHF/CHF" as PairSymbol;
/** A Wednesday. */
const NOW = Date.UTC(2026, 10, 11, 12);

const GUARD: GuardSettings = {
  ...GUARD_DEFAULTS,
  bands: new Map([[FX, { low: 0.8, high: 2 }]]),
  anchors: new Set(["ecb"]),
  agreeBps: 30,
  ageMsMax: 5_000,
};
const SETTINGS: FairSettings = {
  par: new Map([[COIN, { bandBps: 50 }]]),
  venueAgeMsMax: 5_000,
  referenceAgeMsMax: 5_000,
  frozenMsMax: 60_000,
  sourcesMin: 1,
  disagreementBpsMax: 30,
  guard: GUARD,
};

type Told = { readonly source?: string; readonly spread?: number; readonly at?: number; readonly symbol?: string };

function stage(settings: Partial<FairSettings> = {}, now = NOW) {
  const pricing = createPricing({ ...SETTINGS, ...settings });
  pricing.moment.next(now);
  const quote = (bid: number, ask: number, { source = "one", at, symbol = FX }: Told = {}): boolean => {
    const times = { at: at === undefined ? undefined : millis(at), receivedAt: millis(pricing.moment.now) };
    const told = { symbol: symbol as PairSymbol, bid, ask, bidSize: undefined, askSize: undefined, source, ...times };
    return pricing.pair(told.symbol).observe(told);
  };
  /** A narrow price around a middle. */
  const tell = (mid: number, { spread = 0.0002, ...told }: Told = {}): boolean =>
    quote(mid * (1 - spread / 2), mid * (1 + spread / 2), told);
  const fair = (symbol: string = FX): Fair => {
    const prices = pricing.pair(symbol as PairSymbol);
    const found = pricing.fair(prices);
    expect(pricing.value(prices)).toBe(found.kind === "fair" ? found.value : undefined);
    return found;
  };
  const outcome = (symbol?: string): string => {
    const found = fair(symbol);
    return found.kind === "fair" ? found.value.toFixed(4) : found.reason;
  };
  const pass = (ms: number): void => pricing.moment.next(pricing.moment.now + ms);
  const complaints = (): string[] => complaintsOf(pricing).map(({ source, text }) => `${source}: ${text}`);
  return { pricing, quote, tell, fair, outcome, pass, complaints };
}

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
    ["straight", FX, { low: 1, high: 1.15 }, "GBP/CHF over GBP/USD, USD/CHF is 1.16960, and can cost 1 to 1.15"],
    [
      ...(["turned over", "CHF/GBP" as PairSymbol, { low: 0.87, high: 1 }] as const),
      "CHF/GBP over USD/CHF, GBP/USD is 0.854993, and can cost 0.87 to 1",
    ],
  ])("makes no rate and no fair value outside the band that is set for the pair, %s", (_, symbol, band, text) => {
    const { tellAll, worth, pass, complaints } = around({ bands: new Map([[symbol, band]]), leapBps: 1_000 });
    tellAll(1.32, 0.85);
    expect(complaints()).toEqual([]);
    expect(worth()).toEqual([expect.closeTo(1.122, 6), expect.closeTo(1.122, 6), "1.1220"]);
    // 1.36 x 0.86 = 1.1696: no leg is refused by itself.
    pass(1_000);
    tellAll(1.36, 0.86);
    expect(worth()).toEqual([undefined, undefined, "implausible"]);
    expect(complaints()).toEqual([`one: ${text} by its band`]);
    // A way with a leg that is too old is none.
    pass(6_000);
    expect(complaints()).not.toContain(`one: ${text} by its band`);
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

  it("is said of each feed that counts on it, with what rules it out, until it is over", () => {
    const measured = { measuredBy: new Map([[FX, "ecb"]]), leapBps: 1_000 };
    const { tell, tellAll, pass, complaints, pricing } = around(measured);
    tell(1.12, { source: "ecb", symbol: FX, spread: 0 });
    tellAll(1.36, 0.876);
    tell(0.876, { source: "two", symbol: FRANC });
    // 1.12 less and more 5 %.
    const kind = "GBP/CHF over GBP/USD, USD/CHF";
    const text = `${kind} is 1.19136, and can cost 1.064 to 1.176 by the daily rate of ecb`;
    const { layout } = pricing;
    expect(complaints()).toEqual([`one: ${text}`, `two: ${text}`]);
    expect(complaintsOf(pricing).map((complaint) => complaint.kind)).toEqual([kind, kind]);
    expect(pricing.layout).toBe(layout);
    pass(1_000);
    tellAll(1.33, 0.85);
    tell(0.85, { source: "two", symbol: FRANC });
    expect(complaints()).toEqual([]);
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
