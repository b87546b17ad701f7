// What holdings count for: never more than they can be sold for by the last known prices, whatever was heard and whatever was
// not, and for less when nothing is heard for too long.

import { describe, expect, it } from "vitest";
import { Accounts } from "../../src/books/accounts/accounts.ts";
import { Valuation } from "../../src/books/valuation.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { createRandom } from "../../src/domain/random.ts";
import { millis } from "../../src/domain/time.ts";
import { complaintsOf } from "../../src/market/complaint.ts";
import { type FairSettings, Pricing } from "../../src/market/pricing.ts";

const START = Date.UTC(2026, 0, 5, 12);
const CHF = "CHF" as Asset;
const VCHF = "VCHF" as Asset;
const COIN = "VCHF/CHF" as PairSymbol;
const FX = "GBP/CHF" as PairSymbol;
const MINUTE = 60_000;
const SETTINGS: FairSettings = {
  par: new Map([COIN, "VGBP/GBP" as PairSymbol].map((symbol) => [symbol, { bandBps: 50 }])),
  venueAgeMsMax: 5_000,
  referenceAgeMsMax: 5_000,
  sourcesMin: 2,
  disagreementBpsMax: 30,
  marking: { ageMsMax: 15 * MINUTE, haircutBps: 200 },
};

function stage(holdings: Readonly<Record<string, string>>, settings: Partial<FairSettings> = {}) {
  const pricing = new Pricing({ ...SETTINGS, ...settings });
  const accounts = new Accounts(20);
  accounts.adopt(Object.entries(holdings).map(([asset, amount]) => Money.of(amount, asset as Asset)));
  const value = new Valuation(accounts, pricing, CHF);
  pricing.moment.next(START);
  return {
    pricing,
    accounts,
    value,
    pass: (ms: number) => pricing.moment.next(pricing.moment.now + ms),
    tell(symbol: PairSymbol, bid: number, ask: number, source = "venue"): void {
      const sizes = { bidSize: undefined, askSize: undefined };
      const receivedAt = millis(pricing.moment.now);
      pricing.pair(symbol).observe({ symbol, bid, ask, ...sizes, source, at: undefined, receivedAt });
    },
    equity: () => value.equity()?.toNumber(),
  };
}

describe("a coin", () => {
  it("counts at the lower of par and the venue's bid, also outside the band in which par is a reason to trade", () => {
    const { tell, equity } = stage({ CHF: "100", VCHF: "1000" });
    expect(equity()).toBeUndefined();
    tell(COIN, 0.9995, 0.9999);
    expect(equity()).toBe(100 + 999.5);
    tell(COIN, 1.0003, 1.0007);
    expect(equity()).toBe(100 + 1_000);
    tell(COIN, 0.88, 0.8804);
    expect(equity()).toBe(100 + 880);
  });

  it("keeps its last price, with its age, and counts for less when none comes for too long, which is said", () => {
    const { tell, equity, pass, value, pricing } = stage({ VCHF: "1000" });
    tell(COIN, 0.98, 0.981);
    tell(COIN, Number.NaN, 0.5);
    pass(15 * MINUTE);
    expect([equity(), value.mark(VCHF)?.ageMs, complaintsOf(pricing)]).toEqual([980, 15 * MINUTE, []]);
    pass(1);
    // 980 less 2 %
    expect([equity(), complaintsOf(pricing).map(({ text }) => text)]).toEqual([
      960.4,
      ["VCHF/CHF has had no price for 900 s: it counts for 200 bp less"],
    ]);
    tell(COIN, 0.97, 0.971);
    expect([equity(), complaintsOf(pricing)]).toEqual([970, []]);
  });

  it("is exposed to, and owed, at no less than par", () => {
    const { tell, accounts, value, equity } = stage({ CHF: "5000", VCHF: "1000" });
    tell(COIN, 0.88, 0.8804);
    expect(String(value.exposure(VCHF))).toBe("1000");
    accounts.adopt([Money.of("-2000", VCHF)]);
    expect(equity()).toBe(4_000);
  });
});

describe("a rate between currencies", () => {
  const told = (bids: readonly [number, number], { tell }: Pick<ReturnType<typeof stage>, "tell">): void => {
    for (const [i, bid] of bids.entries()) tell(FX, bid, bid + 0.0002, ["a", "b"][i]);
  };

  it("counts from its first fair value on; while there is none, at the lowest that its sources last said", () => {
    const one = stage({ GBP: "1000" });
    one.tell(FX, 1.12, 1.1202, "a");
    expect(one.equity()).toBeUndefined();
    told([1.12, 1.12], one);
    expect(one.equity()).toBeCloseTo(1_120.1, 6);
    told([1.12, 1.05], one);
    expect(one.equity()).toBe(1_050);
    one.pass(MINUTE);
    expect(one.equity()).toBe(1_050);
  });
});

describe("equity (property)", () => {
  /** Of what rests on a rate between currencies: half of what its sources may be apart, and half of a spread. */
  const TOLERANCE = 16e-4;
  const SEEDS = Array.from({ length: 10 }, (_, index) => 20_261_118 + index);

  it.each(SEEDS)("is never more than par and the last known bids make of the holdings (seed %i)", (seed) => {
    const random = createRandom(seed);
    const { tell, pass, equity, accounts } = stage({ CHF: "1000", VCHF: "1000", GBP: "1000", VGBP: "1000" });
    const bids = new Map<string, number>();
    const mids: Record<string, number> = { [COIN]: 1, "VGBP/GBP": 1, [FX]: 1.12 };
    let known = 0;
    for (let i = 0; i < 1_000; i++) {
      pass(random.next() < 0.02 ? 20 * MINUTE : random.integer(0, 2_000));
      const symbol = [COIN, "VGBP/GBP", FX][random.integer(0, 2)] as PairSymbol;
      const mid = (mids[symbol] as number) * (1 + random.normal() * (random.next() < 0.05 ? 0.05 : 0.0005));
      mids[symbol] = mid;
      const source = symbol === FX ? (["a", "b"][random.integer(0, 1)] as string) : "venue";
      const isBad = random.next() < 0.1;
      tell(symbol, isBad && random.next() < 0.5 ? Number.NaN : mid * (isBad ? 1.01 : 0.9999), mid * 1.0001, source);
      if (!isBad) bids.set(`${source} ${symbol}`, mid * 0.9999);
      if (random.next() < 0.1) {
        const [asset, other] = random.next() < 0.5 ? [CHF, VCHF] : (["GBP", "VGBP"] as Asset[]);
        const size = Math.min(accounts.held(asset as Asset)?.toNumber() ?? 0, random.integer(0, 300));
        accounts.adopt([Money.of(String(-size), asset as Asset), Money.of(String(size), other as Asset)]);
      }
      const reported = equity();
      if (reported === undefined) continue;
      known++;
      const held = (asset: string): number => accounts.held(asset as Asset)?.toNumber() ?? Number.NaN;
      const coin = (pair: string): number => Math.min(1, bids.get(`venue ${pair}`) ?? Number.NaN);
      const rate = Math.min(bids.get(`a ${FX}`) ?? Number.NaN, bids.get(`b ${FX}`) ?? Number.NaN);
      const pounds = (held("GBP") + held("VGBP") * coin("VGBP/GBP")) * rate;
      const fetched = held("CHF") + held("VCHF") * coin(COIN) + pounds;
      expect(reported, `change ${i}`).toBeLessThanOrEqual(fetched + pounds * TOLERANCE + 1e-5);
    }
    expect(known).toBeGreaterThan(500);
  });
});
