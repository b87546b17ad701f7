// Fair value: who counts as a source, and every reason why there is none.

import { describe, expect, it } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { Fair } from "../../src/domain/fair.ts";
import { millis } from "../../src/domain/time.ts";
import { type FairSettings, Pricing } from "../../src/market/pricing.ts";
import { Rates } from "../../src/market/rate.ts";

const COIN = "VCHF/CHF" as PairSymbol;
const FX = "GBP/CHF" as PairSymbol;
const SETTINGS: FairSettings = {
  par: new Map([[COIN, { bandBps: 50 }]]),
  venueAgeMsMax: 5_000,
  referenceAgeMsMax: 2_000,
  sourcesMin: 2,
  disagreementBpsMax: 10,
};

type Told = { readonly bid: number; readonly ask?: number; readonly source?: string; readonly at?: number };

function stage(settings: Partial<FairSettings> = {}) {
  const pricing = new Pricing({ ...SETTINGS, ...settings });
  const tell = (symbol: PairSymbol, { bid, ask = bid, source = "venue", at }: Told): void => {
    const times = { at: at === undefined ? undefined : millis(at), receivedAt: millis(pricing.moment.now) };
    pricing.pair(symbol).observe({ symbol, bid, ask, bidSize: undefined, askSize: undefined, source, ...times });
  };
  const fair = (symbol: PairSymbol): Fair => {
    const found = pricing.fair(pricing.pair(symbol));
    // The short way and the long way say the same.
    expect(pricing.value(pricing.pair(symbol))).toBe(found.kind === "fair" ? found.value : undefined);
    return found;
  };
  pricing.moment.next(1_000_000);
  return { pricing, tell, fair, pass: (ms: number) => pricing.moment.next(pricing.moment.now + ms) };
}

describe("par alone, where the venue shows no quotes", () => {
  const alone = (isAlone = true) => stage({ par: new Map([[COIN, { bandBps: 50, isAlone }]]), isBlind: true });

  it("is fair value of the pairs that are named for it, with a reference that agrees or without one", () => {
    expect(alone(false).fair(COIN)).toEqual({ kind: "none", reason: "missing", limit: 2 });
    const { tell, fair, pass } = alone();
    expect(fair(COIN)).toMatchObject({ kind: "fair", value: 1 });
    tell(COIN, { bid: 1.0008, source: "a" });
    expect(fair(COIN)).toMatchObject({ kind: "fair", value: 1.0004 });
    pass(60_000);
    expect(fair(COIN)).toMatchObject({ kind: "fair", value: 1 });
  });

  it.each([
    ["falls silent", undefined],
    ["is crossed", { bid: 0.95, ask: 0.94, source: "a" }],
  ])("is none for a day after a reference saw the coin outside the band, also when that %s", (_what, next) => {
    const { tell, fair, pass } = alone();
    tell(COIN, { bid: 0.9949, source: "a" });
    expect(fair(COIN)).toMatchObject({ kind: "none", reason: "off-peg" });
    pass(60_000);
    if (next !== undefined) tell(COIN, next);
    expect(fair(COIN)).toMatchObject({ kind: "none", reason: "off-peg" });
    pass(86_400_000);
    expect(fair(COIN)).toMatchObject({ kind: "fair", value: 1 });
    pass(1);
    tell(COIN, { bid: 0.9949, source: "a" });
    tell(COIN, { bid: 0.9996, source: "a" });
    expect(fair(COIN)).toMatchObject({ kind: "fair", value: 0.9998 });
  });

  it("is none for a day after a fill of ours outside the band", () => {
    const { pricing, fair, pass } = alone();
    pricing.filled(COIN, 0.9949, pricing.moment.now);
    expect(fair(COIN)).toMatchObject({ kind: "none", reason: "off-peg", limit: 50 });
    pass(86_400_001);
    expect(fair(COIN)).toMatchObject({ kind: "fair", value: 1 });
    pricing.filled(COIN, 0.9951, pricing.moment.now);
    expect(fair(COIN)).toMatchObject({ kind: "fair", value: 1 });
  });

  it("is none as soon as the venue shows a quote", () => {
    const { pricing, tell, fair } = alone();
    pricing.showQuotes();
    tell(COIN, { bid: 0.95, ask: 0.951 });
    expect(fair(COIN)).toMatchObject({ kind: "none", reason: "off-peg" });
  });
});

describe("par", () => {
  it("is fair value while the venue's own quote is fresh and inside the band", () => {
    const { tell, fair } = stage();
    tell(COIN, { bid: 0.998, ask: 0.999 });
    expect(fair(COIN)).toMatchObject({ kind: "fair", value: 1, sources: 2, ageMs: 0, collarBps: undefined });
  });

  it.each([1, -1])("is one of those that must agree, though all others lie on one side of it (%s)", (side) => {
    const { tell, fair } = stage();
    tell(COIN, { bid: 1 + side * 0.0003 });
    tell(COIN, { bid: 1 + side * 0.0009, source: "a" });
    expect(fair(COIN)).toMatchObject({ kind: "fair" });
    // 12 bp from par and 9 from the venue; 10 are the limit.
    tell(COIN, { bid: 1 + side * 0.0012, source: "a" });
    expect(fair(COIN)).toEqual({ kind: "none", reason: "disagreeing" });
  });

  it.each([
    ["never told", [], 0, "missing"],
    ["at the edge of the band", [{ bid: 1.0049, ask: 1.0049 }], 0, undefined],
    ["outside of it", [{ bid: 1.0051, ask: 1.0051 }], 0, "off-peg"],
    ["crossed", [{ bid: 1.001, ask: 0.999 }], 0, "crossed"],
    ["not a number after a good one", [{ bid: 1 }, { bid: Number.NaN }], 0, "missing"],
    ["negative", [{ bid: -1 }], 0, "missing"],
    ["as old as allowed", [{ bid: 1 }], 5_000, undefined],
    ["a millisecond older", [{ bid: 1 }], 5_001, "stale"],
    ["old by its own time", [{ bid: 1, at: 990_000 }], 0, "stale"],
    ["fresh by a time in the future", [{ bid: 1, at: 9_000_000 }], 5_001, "stale"],
  ] as const)("with the venue's quote %s", (_, told, passMs, reason) => {
    const { tell, fair, pass } = stage();
    for (const quote of told) tell(COIN, quote);
    pass(passMs);
    const found = fair(COIN);
    expect(found.kind === "none" ? found.reason : undefined).toBe(reason);
  });

  it("is no source for a pair that it was not switched on for", () => {
    const { tell, fair } = stage({ par: new Map() });
    tell(COIN, { bid: 1 });
    expect(fair(COIN)).toEqual({ kind: "none", reason: "missing", limit: 2 });
  });

  it("is not enough where three sources are asked for", () => {
    const { tell, fair } = stage({ sourcesMin: 3 });
    tell(COIN, { bid: 1 });
    expect(fair(COIN)).toEqual({ kind: "none", reason: "missing", limit: 3 });
    tell(COIN, { bid: 1.0002, source: "a" });
    expect(fair(COIN)).toMatchObject({ kind: "fair", value: 1.0001, sources: 3 });
  });
});

describe("references", () => {
  it("give their median when enough of them agree", () => {
    const { tell, fair, pass } = stage();
    tell(FX, { bid: 1.12, source: "a" });
    pass(500);
    tell(FX, { bid: 1.1202, source: "b" });
    tell(FX, { bid: 1.1203, source: "c" });
    expect(fair(FX)).toMatchObject({ kind: "fair", value: 1.1202, sources: 3, ageMs: 500 });
  });

  it.each([
    ["one alone", [{ bid: 1.12, source: "a" }], 0, "missing"],
    [
      "two that are apart",
      [
        { bid: 1.12, source: "a" },
        { bid: 1.1212, source: "b" },
      ],
      0,
      "disagreeing",
    ],
    [
      "one of two crossed",
      [
        { bid: 1.12, source: "a" },
        { bid: 1.2, ask: 1.1, source: "b" },
      ],
      0,
      "crossed",
    ],
    [
      "both too old",
      [
        { bid: 1.12, source: "a" },
        { bid: 1.12, source: "b" },
      ],
      2_001,
      "stale",
    ],
    ["the venue's own quote beside one", [{ bid: 1.12, source: "a" }, { bid: 1.12 }], 0, "missing"],
  ] as const)("do not with %s", (_, told, passMs, reason) => {
    const { tell, fair, pass } = stage();
    for (const quote of told) tell(FX, quote);
    pass(passMs);
    expect(fair(FX)).toMatchObject({ kind: "none", reason });
  });
});

describe("a rate", () => {
  it("leads through one pair, its inverse, or two pairs, and is missing when one of them is", () => {
    const { pricing, tell, pass } = stage();
    const rates = new Rates(pricing, "CHF" as Asset);
    const rate = (asset: string) => String(rates.exact(asset as Asset));
    expect([rate("CHF"), rate("GBP")]).toEqual(["1", "undefined"]);
    pass(1);
    for (const source of ["a", "b"]) {
      tell(FX, { bid: 1.25, source });
      tell("CHF/USD" as PairSymbol, { bid: 1.25, source });
      tell("VGBP/GBP" as PairSymbol, { bid: 0.999, source });
    }
    expect([rate("GBP"), rate("USD"), rate("VGBP"), rate("EUR")]).toEqual(["1.25", "0.8", "1.24875", "undefined"]);
    pass(2_001);
    expect(rate("VGBP")).toBe("undefined");
  });

  /** A rate of GBP in CHF by pairs that are told in this order, after which time passes and the last are told again. */
  function rateBy(told: readonly (readonly [string, number])[], again: readonly string[] = []): string {
    const { pricing, tell, pass } = stage({ sourcesMin: 1 });
    const rates = new Rates(pricing, "CHF" as Asset);
    for (const [symbol, bid] of told) tell(symbol as PairSymbol, { bid, source: "a" });
    pass(again.length > 0 ? 2_001 : 1);
    for (const [symbol, bid] of told) if (again.includes(symbol)) tell(symbol as PairSymbol, { bid, source: "a" });
    return String(rates.exact("GBP" as Asset));
  }

  it.each<[string, [string, number][], string[], string]>([
    [
      "both directions, which agree",
      [
        ["GBP/CHF", 1.25],
        ["CHF/GBP", 0.8001],
      ],
      [],
      "1.25",
    ],
    [
      "both directions, the straight one stale",
      [
        ["GBP/CHF", 1.25],
        ["CHF/GBP", 0.8],
      ],
      ["CHF/GBP"],
      "1.25",
    ],
    [
      "both directions, which do not agree",
      [
        ["GBP/CHF", 1.25],
        ["CHF/GBP", 0.79],
      ],
      [],
      "undefined",
    ],
    // 1.3 * 0.9 = 1.17
    [
      "a stale pair and a route",
      [
        ["GBP/CHF", 1.25],
        ["GBP/USD", 1.3],
        ["USD/CHF", 0.9],
      ],
      ["GBP/USD", "USD/CHF"],
      "1.17",
    ],
    // By name EUR goes before USD: 1.2 * 0.975 = 1.17, and 1.3 * 0.9001 is 1.17013.
    [
      "two routes",
      [
        ["GBP/USD", 1.3],
        ["USD/CHF", 0.9001],
        ["GBP/EUR", 1.2],
        ["EUR/CHF", 0.975],
      ],
      [],
      "1.17",
    ],
    [
      "two routes that do not agree",
      [
        ["GBP/USD", 1.3],
        ["USD/CHF", 0.9],
        ["GBP/EUR", 1.2],
        ["EUR/CHF", 0.99],
      ],
      [],
      "undefined",
    ],
  ])("is the same whichever was heard first: %s", (_, told, again, expected) => {
    expect(rateBy(told, again)).toBe(expected);
    expect(rateBy([...told].reverse(), again)).toBe(expected);
  });

  it("goes over the shortest route again as soon as its pairs have a price", () => {
    const { pricing, tell, pass } = stage({ sourcesMin: 1 });
    const rates = new Rates(pricing, "CHF" as Asset);
    const rate = () => String(rates.exact("GBP" as Asset));
    for (const [symbol, bid] of [
      ["GBP/USD", 1.3],
      ["USD/CHF", 0.9],
    ] as const)
      tell(symbol as PairSymbol, { bid, source: "a" });
    expect(rate()).toBe("1.17");
    // The venue's quote of a pair is no source of it.
    tell(FX, { bid: 1.5 });
    expect(rate()).toBe("1.17");
    tell(FX, { bid: 1.25, source: "a" });
    expect(rate()).toBe("1.25");
    pass(2_001);
    expect(rate()).toBe("undefined");
    tell(FX, { bid: 1.24, source: "a" });
    expect(rate()).toBe("1.24");
  });
});

describe("a band", () => {
  const banded = (more: Partial<FairSettings> = {}) =>
    stage({ bands: new Map([[FX, { low: 1, high: 1.25 }]]), ...more });

  it.each([
    ["inverted", 1 / 1.12],
    ["a hundred times too large", 112],
    ["above it by a tick", 1.2501],
  ])("keeps out a price that is %s, and the one before it is not used instead", (_, bid) => {
    const { tell, fair } = banded();
    for (const source of ["a", "b"]) tell(FX, { bid: 1.12, source });
    expect(fair(FX)).toMatchObject({ kind: "fair", value: 1.12 });
    tell(FX, { bid, source: "a" });
    expect(fair(FX)).toMatchObject({ kind: "none", reason: "implausible" });
    tell(FX, { bid: 1.12, source: "a" });
    expect(fair(FX)).toMatchObject({ kind: "fair", value: 1.12 });
  });

  it("leaves a leap inside it to agreement: no value until the second source has moved too", () => {
    const { tell, fair } = banded();
    for (const source of ["a", "b"]) tell(FX, { bid: 1.12, source });
    tell(FX, { bid: 1.18, source: "a" });
    expect(fair(FX)).toMatchObject({ kind: "none", reason: "disagreeing" });
    tell(FX, { bid: 1.18, source: "b" });
    expect(fair(FX)).toMatchObject({ kind: "fair", value: 1.18 });
  });

  it("of a coin keeps par from being its value against a reference outside it", () => {
    const { tell, fair } = banded({ bands: new Map([[COIN, { low: 0.9, high: 1.1 }]]) });
    tell(COIN, { bid: 0.9999, ask: 1.0001 });
    expect(fair(COIN)).toMatchObject({ kind: "fair", value: 1 });
    tell(COIN, { bid: 0.85, source: "a" });
    expect(fair(COIN)).toMatchObject({ kind: "none", reason: "implausible" });
  });
});
