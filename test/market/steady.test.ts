// Rates are kept while no price is heard and none can have changed by itself. Whatever is heard and however time passes, they
// are those that are worked out afresh.

import { describe, expect, it } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { createRandom, type Random } from "../../src/domain/random.ts";
import { millis } from "../../src/domain/time.ts";
import { FxWeek } from "../../src/market/fx-week.ts";
import { type FairSettings, Pricing, priceKey } from "../../src/market/pricing.ts";
import { Rates } from "../../src/market/rate.ts";

const SEED = 20_261_115;
const CHF = "CHF" as Asset;
const ASSETS = ["CHF", "VCHF", "GBP", "VGBP", "EUR", "VEUR", "USD"] as Asset[];
/** What one unit of each is worth in CHF. */
const WORTH: Readonly<Record<string, number>> = {
  CHF: 1,
  VCHF: 1,
  GBP: 1.12,
  VGBP: 1.12,
  EUR: 0.94,
  VEUR: 0.94,
  USD: 0.81,
};
const PAIRS = ["VCHF/CHF", "GBP/CHF", "VGBP/GBP", "EUR/GBP", "EUR/CHF", "VEUR/EUR", "USD/EUR"] as PairSymbol[];
/** An hour before the currency markets close for the weekend, by winter time. */
const FRIDAY = Date.UTC(2026, 0, 9, 21);
const SUNDAY = Date.UTC(2026, 0, 11, 21);

function settingsOf(random: Random): FairSettings {
  const isLikely = (): boolean => random.next() < 0.5;
  const par = PAIRS.filter((symbol) => symbol.startsWith("V") && random.next() < 0.7);
  const bands = new Map([["GBP/CHF" as PairSymbol, { low: 1.1, high: 1.14 }]]);
  const weekend = { week: new FxWeek(), collarBps: isLikely() ? 10 : undefined };
  return {
    par: new Map(par.map((symbol) => [symbol, { bandBps: 40 }])),
    venueAgeMsMax: isLikely() ? 8_000 : 3_600_000,
    referenceAgeMsMax: isLikely() ? 5_000 : 3_600_000,
    sourcesMin: random.integer(1, 2),
    disagreementBpsMax: isLikely() ? 20 : 500,
    ...(isLikely() ? { bands } : {}),
    ...(isLikely() ? { weekend, weekly: new Set([priceKey("a", "VEUR/EUR" as PairSymbol)]) } : {}),
  };
}

/** A price of one pair by one source: near what it should be, the same as before, off the peg, or none at all. */
function hear(random: Random, pricing: Pricing, noise: number): void {
  const symbol = PAIRS[random.integer(0, PAIRS.length - 1)] as PairSymbol;
  const [base = "", quote = ""] = symbol.split("/");
  const source = ["venue", "a", "a", "b", "b", "c"][random.integer(0, 5)] as string;
  const known = pricing.pair(symbol).references.find(({ name }) => name === source)?.bid;
  const fresh = ((WORTH[base] as number) / (WORTH[quote] as number)) * (1 + random.normal() * noise);
  const mid = random.next() < 0.2 && known !== undefined ? known : random.next() < 0.03 ? Number.NaN : fresh;
  const at = random.next() < 0.2 ? pricing.moment.now - random.integer(0, 4_000) : undefined;
  tell(pricing, symbol, source, mid, at);
}

/** Also by parts of a millisecond, and to the very end of an age. */
function pass(random: Random, { moment }: Pricing): void {
  const draw = random.next();
  const ms =
    draw < 0.4 ? random.integer(0, 900) : draw < 0.6 ? random.next() * 3 : [1, 2_000, 5_000][random.integer(0, 2)];
  moment.next(moment.now + (ms as number));
}

describe(`rates that are kept (seed ${SEED})`, () => {
  it("are those that are worked out afresh, whatever is heard and however long nothing is", () => {
    const random = createRandom(SEED);
    const counts = { kept: 0, byTime: 0, known: 0 };
    for (let world = 0; world < 60; world++) {
      const pricing = new Pricing(settingsOf(random));
      const kept = new Rates(pricing, CHF);
      const noise = [2e-4, 3e-3, 0.06][random.integer(0, 2)] as number;
      const often = random.next() < 0.5 ? 0.5 : 0.1;
      pricing.moment.next((random.next() < 0.5 ? FRIDAY : SUNDAY) + 3_600_000 - random.integer(0, 60_000));
      let before = { version: -1, rates: "" };
      for (let i = 0; i < 150; i++) {
        const isHeard = random.next() < often;
        if (random.next() < 0.7) pass(random, pricing);
        if (isHeard) for (let n = random.integer(1, 8); n > 0; n--) hear(random, pricing, noise);
        const { version } = kept;
        const rates = ASSETS.map((asset) => kept.float(asset));
        const afresh = new Rates(pricing, CHF);
        expect(rates, `world ${world}, change ${i}`).toEqual(ASSETS.map((asset) => afresh.float(asset)));
        if (version === before.version) counts.kept++;
        if (!isHeard && i > 0 && String(rates) !== before.rates) counts.byTime++;
        counts.known += rates.filter((rate) => rate !== undefined).length;
        before = { version: kept.version, rates: String(rates) };
      }
    }
    expect(counts.kept).toBeGreaterThan(500);
    expect(counts.byTime).toBeGreaterThan(100);
    expect(counts.known).toBeGreaterThan(10_000);
  });

  it("go at the hour at which currency markets close, though nothing is heard, and come back when they open", () => {
    const weekend = { week: new FxWeek(), collarBps: undefined };
    for (const weekly of [undefined, new Set([priceKey("a", "VEUR/EUR" as PairSymbol)])]) {
      const pricing = new Pricing({ ...LASTING, weekend, ...(weekly && { weekly }) });
      const rates = new Rates(pricing, weekly === undefined ? CHF : ("EUR" as Asset));
      const rate = () => rates.float((weekly === undefined ? "GBP" : "VEUR") as Asset);
      pricing.moment.next(FRIDAY + 3_599_999);
      tell(pricing, weekly === undefined ? "GBP/CHF" : "VEUR/EUR", "a", 1.12);
      expect(rate()).toBeCloseTo(1.12, 9);
      pricing.moment.next(FRIDAY + 3_600_000);
      expect(rate()).toBe(undefined);
      pricing.moment.next(SUNDAY + 3_600_000);
      expect(rate()).toBeCloseTo(1.12, 9);
    }
  });
});

const LASTING: FairSettings = {
  par: new Map(),
  venueAgeMsMax: 1e9,
  referenceAgeMsMax: 1e9,
  sourcesMin: 1,
  disagreementBpsMax: 20,
};

function tell(pricing: Pricing, symbol: string, source: string, mid: number, at?: number): void {
  const times = { at: at === undefined ? undefined : millis(at), receivedAt: millis(pricing.moment.now) };
  const prices = { bid: mid - 1e-5, ask: mid + 1e-5, bidSize: undefined, askSize: undefined };
  pricing.pair(symbol as PairSymbol).observe({ symbol: symbol as PairSymbol, ...prices, source, ...times });
}
