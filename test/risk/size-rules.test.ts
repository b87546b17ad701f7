// The rules on size: value, quantity, exposure, what may be spent, and the ramp.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import { assetExposure, depeg, grossExposure, issuerEnd } from "../../src/risk/rules/exposure.ts";
import { reference, unlessWayOut, wayOutPrice, wayOutSize } from "../../src/risk/rules/price.ts";
import { turnoverPerHour } from "../../src/risk/rules/rate.ts";
import { orderQuantity, orderValue, ramp, spendable } from "../../src/risk/rules/size.ts";
import { refusalOf } from "../../src/risk/ruling.ts";
import { stressOf } from "../../src/risk/stress.ts";
import { anInstrument } from "../support/instrument.ts";
import {
  aCandidate,
  aDesk,
  aGate,
  CHF,
  chf,
  filled,
  GBP,
  type Order,
  plenty,
  said,
  someLimits,
  VCHF,
  VCHF_CHF,
  VGBP,
  VGBP_GBP,
  verdict,
} from "./stage.ts";

describe("RC01, the value of an order", () => {
  const rule = orderValue(chf("1000"));

  test("passes at the limit and cuts down to it what is over, saying from what to what", () => {
    expect(verdict(rule, aDesk(), { size: "1000", limit: "1" })).toBe("approved 1000");
    expect(verdict(rule, aDesk(), { size: "1000.01", limit: "1" })).toBe("approved 1000");
    // 1000 / 1.0001 = 999.90001
    expect(verdict(rule, aDesk(), { size: "1000", limit: "1.0001" })).toBe("approved 999.9");
    expect(aGate(rule).review(aCandidate({ size: "60000" }), aDesk())).toMatchObject({
      capped: [
        { rule: "RC01", message: "order is worth 60,000 CHF, limit is 1,000 CHF; size cut from 60,000 to 1,000" },
      ],
    });
  });

  test("refuses what is then below the venue's minimum, with both reasons", () => {
    expect(verdict(orderValue(chf("1")), aDesk(), { size: "100", limit: "20" })).toBe("RC01");
  });

  test("refuses what is then not worth a slot to the strategy, and shows what is left", () => {
    const gate = aGate(orderValue(chf("1000")));
    const asked = (least: string) =>
      gate.preview({ ...aCandidate({ size: "2000" }), least: Quantity.of(least) }, aDesk());
    expect(asked("1000")).toMatchObject({ kind: "passes", quantity: Quantity.of("1000") });
    expect(asked("1000.01")).toMatchObject({ kind: "refused", refusal: { rule: "RC01" }, left: Quantity.of("1000") });
    // An order that no limit cuts is as large as the strategy wants it.
    expect(gate.review({ ...aCandidate({ size: "500" }), least: Quantity.of("600") }, aDesk()).kind).toBe("approved");
  });

  test("prints two decimals of money, a value rounded up and its limit down, so that it never reads as inside", () => {
    const found = (value: string, max: string, asset = CHF) =>
      refusalOf("RC01", "is", Money.of(value, asset), Money.of(max, asset));
    expect(found("1234567.000000000000000001", "1234567")).toMatchObject({
      value: "1,234,567.01 CHF",
      limit: "1,234,567 CHF",
    });
    expect(found("1999.809999", "1999.801234567891")).toMatchObject({ value: "1,999.81 CHF", limit: "1,999.8 CHF" });
    expect(found("0.000000123456", "0.0001234567", "BTC" as Asset)).toMatchObject({
      value: "0.000001 BTC",
      limit: "0.000123 BTC",
    });
  });

  test("counts in the currency of the limits, whatever the pair is quoted in", () => {
    const tradingCore = aDesk();
    tradingCore.rates.set(GBP, Price.of("1.25"));
    // 800 x 1 GBP x 1.25 = 1000 CHF
    expect(verdict(rule, tradingCore, { symbol: VGBP_GBP, size: "800" })).toBe("approved 800");
    expect(verdict(rule, tradingCore, { symbol: VGBP_GBP, size: "800.01" })).toBe("approved 800");
  });

  test("refuses what it cannot value, and never takes a missing rate for 1", () => {
    expect(verdict(rule, aDesk(), { symbol: VGBP_GBP, size: "1" })).toBe("RC01 unknown");
  });
});

describe("RC02, the size of an order", () => {
  const rule = orderQuantity(new Map([[VCHF_CHF, Quantity.of("500")]]));

  test("passes at the limit and cuts down to it what is over, at any price", () => {
    expect(verdict(rule, aDesk(), { size: "500", limit: "0.0001" })).toBe("approved 500");
    expect(verdict(rule, aDesk(), { size: "500.01", limit: "0.0001" })).toBe("approved 500");
  });

  test("refuses a symbol that has no limit, and a size of nothing", () => {
    expect(verdict(rule, aDesk(), { symbol: VGBP_GBP, size: "1" })).toBe("RC02");
    expect(verdict(rule, aDesk(), { size: "0" })).toContain("RC02");
  });
});

describe("RC03, exposure in one asset", () => {
  const rule = assetExposure(chf("1000"));
  const deskWith = (atMost: string | undefined, rate = "1") => {
    const tradingCore = aDesk();
    tradingCore.holdings.set(VCHF, { ...plenty(), atMost });
    tradingCore.rates.set(VCHF, Price.of(rate));
    return tradingCore;
  };

  test("passes up to the limit, and makes an order smaller that would go past it", () => {
    expect(verdict(rule, deskWith("900"), { size: "100" })).toBe("approved 100");
    expect(verdict(rule, deskWith("900"), { size: "100.01" })).toBe("approved 100");
    const exact = deskWith("900");
    // At the limit nothing is made smaller, so nothing is said to be.
    expect(aGate(rule).review(aCandidate({ size: "100" }), exact)).toMatchObject({ kind: "approved", capped: [] });
    // (1000 - 900 x 1.1) / 1.1 = 9.0909...
    expect(verdict(rule, deskWith("900", "1.1"), { size: "100" })).toBe("approved 9.09");
  });

  test("refuses when nothing is left, or less than the venue takes", () => {
    expect(verdict(rule, deskWith("1000"), { size: "100" })).toBe("RC03");
    expect(verdict(rule, deskWith("5000"), { size: "100" })).toContain("RC03");
    expect(verdict(rule, deskWith("999.95"), { size: "100" })).toBe("RC03");
  });

  test("lets an order out that brings the currency of the limits, however much there is of the other asset", () => {
    expect(verdict(rule, deskWith("5000"), { side: "sell", size: "100" })).toBe("approved 100");
  });

  test("counts what a sale brings, at its limit", () => {
    const tradingCore = aDesk();
    tradingCore.rates.set(GBP, Price.of("1.25"));
    tradingCore.holdings.set(GBP, { ...plenty(), atMost: "700" });
    // Room is 1000 / 1.25 - 700 = 100 GBP: 50 at a limit of 2.
    expect(verdict(rule, tradingCore, { symbol: VGBP_GBP, side: "sell", size: "60", limit: "2" })).toBe("approved 50");
  });

  test("refuses what it cannot value or does not know", () => {
    expect(verdict(rule, deskWith(undefined))).toContain("RC03 unknown");
    const tradingCore = deskWith("0");
    tradingCore.rates.delete(VCHF);
    expect(verdict(rule, tradingCore)).toContain("RC03 unknown");
  });

  test("refuses accounts that answer with another asset", () => {
    const tradingCore = aDesk();
    const poisoned = { ...tradingCore, pricing: { ...tradingCore.pricing, exposure: () => Money.zero(VCHF) } };
    expect(verdict(rule, poisoned as typeof tradingCore)).toContain("RC03 unknown");
  });
});

describe("RC04, exposure in all assets", () => {
  const rule = grossExposure(chf("1000"));
  const deskWith = (vchf: string, vgbp: string | undefined) => {
    const tradingCore = aDesk();
    tradingCore.holdings.set(VCHF, { ...plenty(), atMost: vchf });
    tradingCore.holdings.set(VGBP, { ...plenty(), atMost: vgbp });
    tradingCore.rates.set(VGBP, Price.of("1.25"));
    return tradingCore;
  };

  test("adds up all assets but the currency of the limits, and makes an order smaller to fit", () => {
    // 400 + 400 x 1.25 = 900
    expect(verdict(rule, deskWith("400", "400"), { size: "100" })).toBe("approved 100");
    expect(verdict(rule, deskWith("400", "400"), { size: "100.01" })).toBe("approved 100");
    const exact = deskWith("400", "400");
    expect(aGate(rule).review(aCandidate({ size: "100" }), exact)).toMatchObject({ kind: "approved", capped: [] });
    expect(verdict(rule, deskWith("500", "400"), { size: "0.1" })).toBe("RC04");
    expect(verdict(rule, deskWith("900", "400"), { size: "0.1" })).toContain("RC04");
  });

  test("refuses when one asset cannot be valued; what is not held needs no price", () => {
    const tradingCore = deskWith("400", "400");
    tradingCore.rates.delete(VGBP);
    expect(verdict(rule, tradingCore)).toContain("RC04 unknown");
    tradingCore.holdings.set(VGBP, { ...plenty(), atMost: "0" });
    expect(verdict(rule, tradingCore)).toBe("approved 100");
    expect(verdict(rule, deskWith("400", undefined))).toContain("RC04 unknown");
    tradingCore.rates.delete(VCHF);
    expect(verdict(rule, tradingCore)).toContain("RC04 unknown");
  });

  test("counts a debt of an asset as exposure too", () => {
    expect(verdict(rule, deskWith("400", "-480"), { size: "0.1" })).toContain("RC04");
  });
});

describe("RC17, what may be spent", () => {
  const rule = spendable(500, 10);
  const deskWith = (spendableChf: string | undefined, held: string | undefined) => {
    const tradingCore = aDesk();
    tradingCore.holdings.set(CHF, { spendable: spendableChf, held });
    return tradingCore;
  };

  test("leaves the reserve and the fee budget, to the last step", () => {
    // 1050.1 - 5 % of 1002 = 1000; 999 + 0.1 % = 999.999
    expect(verdict(rule, deskWith("1050.1", "1002"), { size: "999" })).toBe("approved 999");
    // 1051.1 - 5 % of 1002 = 1001 = 1000 + 0.1 %: all of it
    expect(verdict(rule, deskWith("1051.1", "1002"), { size: "1000" })).toBe("approved 1000");
    // 999.01 + 0.1 % = 1000.00901 is too much: 1000 - 0.1 % = 999
    expect(verdict(rule, deskWith("1050.1", "1002"), { size: "999.01" })).toBe("approved 999");
  });

  test("leaves the reserve of what was put in, however little of it is still held", () => {
    const tradingCore = aDesk();
    tradingCore.holdings.set(CHF, { spendable: "60", held: "60", placed: "1000" });
    // 60 - 5 % of 1000 = 10; less 0.1 % = 9.99
    expect(verdict(rule, tradingCore, { size: "50" })).toBe("approved 9.99");
    tradingCore.holdings.set(CHF, { spendable: "50", held: "50", placed: "1000" });
    expect(verdict(rule, tradingCore, { size: "50" })).toContain("RC17");
  });

  test("limits a sale by what there is to sell, fee budget included", () => {
    const tradingCore = aDesk();
    tradingCore.holdings.set(VCHF, { spendable: "150", held: "1000" });
    // 150 - 5 % of 1000 = 100; less 0.1 % = 99.9
    expect(verdict(rule, tradingCore, { side: "sell", size: "500", limit: "3" })).toBe("approved 99.9");
  });

  test("refuses when nothing is left, and when the balance or the books do not know", () => {
    expect(verdict(rule, deskWith("50", "1000"))).toBe("RC17");
    // -5 - 5 % of 1000 = -55: a limit is never less than nothing.
    expect(verdict(rule, deskWith("-5", "1000"))).toBe("RC17");
    expect(verdict(rule, deskWith(undefined, "1000"))).toContain("RC17 unknown");
    expect(verdict(rule, deskWith("1000", undefined))).toContain("RC17 unknown");
  });

  test("stays when reserve and fee budget are loosened: nobody spends what is not there", () => {
    expect(verdict(spendable(0, 0), deskWith("100", "100"), { size: "100" })).toBe("approved 100");
    expect(verdict(spendable(0, 0), deskWith("100", "100"), { size: "100.01" })).toBe("approved 100");
    expect(verdict(spendable(0, 0), deskWith("0", "100"), { size: "1" })).toContain("RC17");
  });
});

describe("RC29, the ramp", () => {
  const rule = ramp(2, 1_000);

  test("makes orders a tenth until so many have filled", () => {
    const tradingCore = aDesk();
    expect(verdict(rule, tradingCore, { size: "100" })).toBe("approved 10");
    filled(tradingCore, { id: "T-1" });
    expect(verdict(rule, tradingCore, { size: "123.45" })).toBe("approved 12.34");
    filled(tradingCore, { id: "T-2" });
    expect(verdict(rule, tradingCore, { size: "100" })).toBe("approved 100");
  });

  test("makes them a tenth of what the limits of one order leave", () => {
    const gate = aGate(orderValue(chf("500")), rule);
    expect(said(gate.review(aCandidate({ size: "60000" }), aDesk()))).toBe("approved 50");
  });

  test("refuses when a tenth is less than the venue takes, and names both", () => {
    expect(verdict(rule, aDesk(), { size: "0.9" })).toBe("RC29");
  });
});

describe("a cap (property)", () => {
  const limit = fc.integer({ min: 1, max: 3_000_000 }).map((cents) => (cents / 100).toFixed(2));
  const rate = fc.integer({ min: 1, max: 3_000_000 }).map((steps) => (steps / 1_000_000).toFixed(6));

  test("never enlarges an order, keeps each limit, and names each rule that cut", () => {
    const world = fc.record({
      size: limit,
      price: rate,
      side: fc.constantFrom("buy" as const, "sell" as const),
      symbol: fc.constantFrom(VCHF_CHF, VGBP_GBP),
      gbp: rate,
      value: limit,
      quantity: limit,
      turnover: limit,
      traded: fc.integer({ min: 0, max: 100_000 }).map(String),
    });
    fc.assert(
      fc.property(world, ({ size, price, side, symbol, gbp, value, quantity, turnover, traded }) => {
        const tradingCore = aDesk();
        tradingCore.rates.set(GBP, Price.of(gbp));
        tradingCore.rates.set(VGBP, Price.of(gbp));
        if (traded !== "0") filled(tradingCore, { size: traded });
        const rules = [
          orderValue(chf(value)),
          orderQuantity(new Map([[symbol, Quantity.of(quantity)]])),
          turnoverPerHour(chf(turnover)),
        ];
        const found = aGate(...rules).review(aCandidate({ symbol, side, size, limit: price }), tradingCore);
        if (found.kind === "refused") return;
        const { intent, capped } = found;
        const asked = Quantity.of(size);
        expect(intent.quantity.atMost(asked)).toBe(true);
        expect(intent.quantity.atMost(Quantity.of(quantity))).toBe(true);
        const notional = intent.limit.times(intent.quantity, symbol === VCHF_CHF ? CHF : GBP, "up");
        const worth = symbol === VCHF_CHF ? notional : notional.valued(Price.of(gbp), CHF, "up");
        expect(worth.atMost(chf(value))).toBe(true);
        expect(worth.plus(chf(traded)).atMost(chf(turnover))).toBe(true);
        expect(capped.length === 0).toBe(intent.quantity.equals(asked));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("RC34, what a de-peg may cost", () => {
  // A coin that loses 12 % may cost 3 % of 100,000: a quarter of it may be held.
  const rule = depeg(300, 1_200);
  const deskWith = (atMost: string) => {
    const tradingCore = aDesk();
    tradingCore.holdings.set(VCHF, { ...plenty(), atMost });
    return tradingCore;
  };

  test("lets so much of one coin be held and bought, and cuts down what is more", () => {
    expect(verdict(rule, deskWith("24900"), { size: "100" })).toBe("approved 100");
    expect(verdict(rule, deskWith("24900"), { size: "100.01" })).toBe("approved 100");
    expect(verdict(rule, deskWith("25000"), { size: "100" })).toBe("RC34");
    expect(verdict(rule, deskWith("50000"), { side: "sell", size: "100" })).toBe("approved 100");
  });

  test("falls with equity, and refuses what it cannot tell", () => {
    const tradingCore = deskWith("10000");
    tradingCore.equity = "40000";
    expect(verdict(rule, tradingCore, { size: "100" })).toContain("RC34");
    tradingCore.equity = undefined;
    expect(verdict(rule, tradingCore, { size: "100" })).toContain("RC34 unknown");
    tradingCore.rates.delete(VCHF);
    expect(verdict(rule, tradingCore, { size: "100" })).toContain("RC34 unknown");
  });
});

describe("the issuer is one", () => {
  const USDC = "USDC" as Asset;
  const USDC_PAIR = "VCHF/USDC" as PairSymbol;
  const VGBP_VCHF = "VGBP/VCHF" as PairSymbol;
  const withCoins = (vchf: string, vgbp: string) => {
    const tradingCore = aDesk();
    tradingCore.holdings.set(VCHF, { ...plenty(), atMost: vchf });
    tradingCore.holdings.set(VGBP, { ...plenty(), atMost: vgbp });
    tradingCore.rates.set(VGBP, Price.of("1.25"));
    return tradingCore;
  };

  test("RC34 counts its coins together: 15,000 VCHF and 8,000 VGBP at 1.25 are 25,000", () => {
    const rule = depeg(300, 1_200);
    expect(verdict(rule, withCoins("14900", "8000"), { size: "200" })).toBe("approved 100");
    expect(verdict(rule, withCoins("15000", "8000"), { size: "100" })).toContain("RC34");
  });

  test("RC34 lets one coin of an issuer be traded for another, and counts a stranger's coin by itself", () => {
    const rule = depeg(300, 1_200);
    const pair = { symbol: VGBP_VCHF, base: VGBP, quote: VCHF, quantityMin: Quantity.of("0.1") };
    const order = { symbol: VGBP_VCHF, size: "100", limit: "1.25", instrument: anInstrument(pair) };
    expect(verdict(rule, withCoins("20000", "8000"), order)).toBe("approved 100");
    const tradingCore = withCoins("20000", "8000");
    tradingCore.holdings.set(USDC, { ...plenty(), atMost: "0" });
    tradingCore.rates.set(USDC, Price.of("0.8"));
    const bought = anInstrument({ symbol: "USDC/CHF" as PairSymbol, base: USDC, quote: CHF });
    expect(verdict(rule, tradingCore, { symbol: bought.symbol, size: "100", limit: "0.8", instrument: bought })).toBe(
      "approved 100",
    );
  });

  test("RC34 counts a coin that is in no list as one of an issuer of its own, and fiat as none", () => {
    // 300 / 1,200 of 100,000 are 25,000, and 24,950 are held.
    const rule = depeg(300, 1_200);
    const NEW = "FDUSD" as Asset;
    const tradingCore = withCoins("0", "0");
    tradingCore.holdings.set(NEW, { ...plenty(), atMost: "24950" });
    tradingCore.rates.set(NEW, Price.of("1"));
    const instrument = anInstrument({ symbol: "FDUSD/CHF" as PairSymbol, base: NEW, quote: CHF });
    expect(verdict(rule, tradingCore, { symbol: instrument.symbol, size: "100", instrument })).toBe("approved 50");
    expect(verdict(rule, tradingCore, { side: "sell", size: "100" })).toBe("approved 100");
  });

  test("RC37 bounds coins, fiat there and mints on their way together, and what only moves between them passes", () => {
    // An end of 60 % may cost 30 % of 100,000: 50,000 may be there. 40,000 CHF and 9,000 VCHF leave 1,000.
    const rule = issuerEnd(3_000, 6_000);
    const tradingCore = aDesk();
    tradingCore.holdings.set(CHF, { ...plenty(), atMost: "40000" });
    tradingCore.holdings.set(VCHF, { ...plenty(), atMost: "9000" });
    tradingCore.holdings.set(USDC, plenty());
    tradingCore.rates.set(USDC, Price.of("0.8"));
    const instrument = anInstrument({ symbol: USDC_PAIR, quote: USDC });
    const forDollars = { symbol: USDC_PAIR, size: "2000", limit: "1.25", instrument };
    expect(verdict(rule, tradingCore, forDollars)).toBe("approved 1000");
    expect(verdict(rule, tradingCore, { ...forDollars, side: "sell" })).toBe("approved 2000");
    expect(verdict(rule, tradingCore, { size: "20000" })).toBe("approved 20000");
  });
});

test("an end of the issuer costs a drawn account, filled up to its limits, no more than the stress table had shown", () => {
  const USDC = "USDC" as Asset;
  const amount = fc.integer({ min: 0, max: 2_000_000 }).map((cents) => cents / 100);
  const account = fc.tuple(fc.array(amount, { minLength: 5, maxLength: 5 }), fc.integer({ min: 1_000, max: 10_000 }));
  let capped = 0;
  fc.assert(
    fc.property(account, fc.integer({ min: 150, max: 10_000 }), ([held, endBps], lossBps) => {
      const assets = [CHF, GBP, VCHF, VGBP, USDC];
      const rates = [1, 1.25, 1, 1.25, 0.8];
      const tradingCore = aDesk();
      const hold = (asset: Asset, units: number): void => {
        const atMost = units.toFixed(2);
        tradingCore.holdings.set(asset, { spendable: atMost, held: atMost, atLeast: atMost, atMost });
      };
      for (const [place, asset] of assets.entries()) hold(asset, held[place] ?? 0);
      for (const [place, asset] of assets.entries()) tradingCore.rates.set(asset, Price.of(String(rates[place])));
      const worth = (part: readonly Asset[], left = 1): number =>
        part.reduce(
          (sum, asset) =>
            sum + left * Number(tradingCore.holdings.get(asset)?.held) * (rates[assets.indexOf(asset)] ?? 0),
          0,
        );
      tradingCore.equity = worth(assets).toFixed(6);
      const limits = someLimits({
        issuerLossBpsMax: lossBps,
        issuerEndBps: endBps,
        depegLossBpsMax: 400,
        depegAssumedBps: 1_200,
      });
      const gate = aGate(depeg(400, 1_200), issuerEnd(lossBps, endBps));
      // As many dollars into coins as the limits let.
      const instrument = anInstrument({ symbol: "VCHF/USDC" as PairSymbol, quote: USDC });
      const dollars = Number(tradingCore.holdings.get(USDC)?.held);
      const verdict = gate.review(
        aCandidate({ symbol: instrument.symbol, size: (dollars / 1.25 + 0.1).toFixed(2), limit: "1.25", instrument }),
        tradingCore,
      );
      const bought = verdict.kind === "approved" ? verdict.intent.quantity.toNumber() : 0;
      const before = stressOf(limits, tradingCore)[1]?.cost?.toNumber() ?? 0;
      hold(VCHF, Number(tradingCore.holdings.get(VCHF)?.held) + bought);
      hold(USDC, Math.max(0, dollars - 1.25 * bought));
      const shown = stressOf(limits, tradingCore)[1]?.cost?.toNumber() ?? Number.NaN;
      const issuers = [CHF, GBP, VCHF, VGBP];
      const lost = worth(issuers) - worth(issuers, 1 - endBps / 1e4);
      expect(lost).toBeLessThanOrEqual(shown + 1e-6);
      const most = (worth(assets) * Math.floor((lossBps * 1e4) / endBps)) / 1e4;
      if (bought > 0) {
        capped++;
        expect(worth(issuers)).toBeLessThanOrEqual(Math.max(most, before / (endBps / 1e4)) + 0.02);
      }
    }),
    { numRuns: 300, seed: 48 },
  );
  expect(capped).toBeGreaterThan(30);
});

describe("RC35, the way out of a coin that is off its peg", () => {
  const exit = someLimits({ exit: { collarBps: 100, floorBps: 3_000, orderValueMax: "500", perDayMax: "1200" } }).exit;
  if (exit === undefined) throw new Error("there must be a way out");
  const byFair = unlessWayOut(reference({ ageMsMax: 5_000, sourcesMin: 2, spreadBpsMax: 30 }));
  const gate = aGate(byFair, wayOutPrice(exit), wayOutSize(exit, CHF));
  const offPeg = () => {
    const tradingCore = aDesk();
    tradingCore.fairs.set(VCHF_CHF, { kind: "none", reason: "off-peg", limit: 50 });
    tradingCore.bid = 0.9;
    return tradingCore;
  };
  const tried = (tradingCore: ReturnType<typeof aDesk>, order: Order): string =>
    said(gate.review(aCandidate(order), tradingCore));

  test("lets a holding be sold near the venue's bid, and nothing be bought", () => {
    expect(tried(offPeg(), { side: "sell", size: "100", limit: "0.9" })).toBe("approved 100");
    expect(tried(offPeg(), { side: "sell", size: "100", limit: "0.891" })).toBe("approved 100");
    expect(tried(offPeg(), { side: "sell", size: "100", limit: "0.8909" })).toBe("RC35");
    expect(tried(offPeg(), { side: "buy", size: "100", limit: "0.9" })).toBe("RC08");
  });

  test("stays the way of nothing else: a coin at its peg, or without a fresh price, goes by fair value", () => {
    expect(tried(aDesk(), { side: "sell", size: "5000", limit: "0.5" })).toBe("approved 5000");
    const stale = offPeg();
    stale.fairs.set(VCHF_CHF, { kind: "none", reason: "stale" });
    expect(tried(stale, { side: "sell", size: "100", limit: "0.9" })).toContain("RC08");
  });

  test("has a floor, and a size of an order, of what is held and of a day", () => {
    const tradingCore = offPeg();
    tradingCore.bid = 0.69;
    expect(tried(tradingCore, { side: "sell", size: "100", limit: "0.69" })).toBe("RC35");
    // 500 / 0.9 = 555.55
    expect(tried(offPeg(), { side: "sell", size: "1000", limit: "0.9" })).toBe("approved 555.55");
    const little = offPeg();
    little.holdings.set(VCHF, { ...plenty(), atLeast: "40" });
    expect(tried(little, { side: "sell", size: "100", limit: "0.9" })).toBe("approved 40");
    const day = offPeg();
    filled(day, { side: "sell", size: "1000", limit: "0.9" });
    // 1,200 - 900 = 300 = 333.33 x 0.9
    expect(tried(day, { side: "sell", size: "500", limit: "0.9" })).toBe("approved 333.33");
    filled(day, { side: "sell", size: "400", limit: "0.9", id: "T-2" });
    expect(tried(day, { side: "sell", size: "500", limit: "0.9" })).toBe("RC35");
  });

  test("is told to whoever asks before, so that a person confirms it", () => {
    const order = aCandidate({ side: "sell", size: "100", limit: "0.9" });
    expect([offPeg(), aDesk()].map((tradingCore) => gate.preview(order, tradingCore))).toMatchObject([
      { kind: "passes", isOffPeg: true },
      { kind: "passes", isOffPeg: false },
    ]);
  });

  test("is asked again when the slot opens, with the bid of then", () => {
    const tradingCore = offPeg();
    const order = aCandidate({ side: "sell", size: "100", limit: "0.9" });
    // It is among the open orders by then: nothing is left to sell beside it.
    tradingCore.holdings.set(VCHF, { ...plenty(), atLeast: "0" });
    expect(gate.recheck(order, order.instrument, tradingCore)).toBeUndefined();
    tradingCore.bid = 0.95;
    expect(gate.recheck(order, order.instrument, tradingCore)?.rule).toBe("RC35");
  });
});
