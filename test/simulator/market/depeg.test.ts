// De-pegs and the dealer as docs/guides/market.md states them.

import { describe, expect, test } from "vitest";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { Quantity } from "../../../src/domain/money/money.ts";
import { millis } from "../../../src/domain/time.ts";
import { Dealer } from "../../../src/simulator/core/dealer.ts";
import { DEFAULT_PAIRS } from "../../../src/simulator/core/listing.ts";
import type { Pair } from "../../../src/simulator/core/record.ts";
import { emptyTop, type Market } from "../../../src/simulator/market/market.ts";
import { type MarketParameters, SCENARIOS } from "../../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../../src/simulator/market/synthetic.ts";
import { pushedMarket } from "../pushed-market.ts";

const [VCHF, VGBP] = ["VCHF/CHF", "VGBP/GBP"] as [PairSymbol, PairSymbol];
const COIN = "VCHF" as Asset;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 5);
const { calibrated } = SCENARIOS;

function middle(market: Market, symbol: PairSymbol, at: number): number {
  const top = emptyTop();
  return market.read(symbol, millis(at), top) ? (top.bid + top.ask) / 2 : Number.NaN;
}

function withStress(changes: Partial<MarketParameters["stress"]>): MarketParameters {
  return { ...calibrated, stress: { ...calibrated.stress, ...changes } };
}

test("both coins of an issuer fall together, over midnights, and USDC by itself", () => {
  const market = syntheticMarket(11, withStress({ lesserPerYear: 20, endsPerYear: 0 }));
  let [fallen, together, alone, overMidnight, usdc] = [0, 0, 0, 0, 0];
  for (let at = START; at < START + 3 * 365 * DAY; at += HOUR) {
    const [one, other, dollar] = [VCHF, VGBP, "USDC/CHF" as PairSymbol].map((symbol) => middle(market, symbol, at));
    const world = market.rate("USD" as Asset, "CHF" as Asset, millis(at)) as number;
    if ((one as number) < 0.997) {
      fallen++;
      if ((other as number) < 0.9985) together++;
      if (at % DAY === 0) overMidnight++;
    }
    if ((dollar as number) / world < 0.997) {
      usdc++;
      if ((one as number) > 0.9985) alone++;
    }
  }
  expect(fallen).toBeGreaterThan(50);
  expect(together / fallen).toBeGreaterThan(0.8);
  expect(overMidnight).toBeGreaterThan(0);
  expect(alone / usdc).toBeGreaterThan(0.8);
});

describe("an end of the issuer", () => {
  test("takes half of that in its first hour, then balances are frozen for good", () => {
    const only = withStress({ lesserPerYear: 0, flashesPerYear: 0, collapsesPerYear: 0, endsPerYear: 100 });
    const market = syntheticMarket(3, only);
    let frozenAt = Date.UTC(2026, 0, 1);
    while (market.closure(COIN, millis(frozenAt)) !== "frozen") frozenAt += MINUTE;
    const [first, all] = [frozenAt, frozenAt + 20 * DAY].map((at) => 1 - middle(market, VCHF, at));
    expect((first as number) / (all as number)).toBeCloseTo(0.5, 1);
    expect(market.closure(COIN, millis(frozenAt - HOUR + 2 * MINUTE))).toBe("redemption");
    expect(market.closure(COIN, millis(frozenAt + 365 * DAY))).toBe("frozen");
    expect(market.closure("USDC" as Asset, millis(frozenAt))).not.toBe("frozen");
  });
});

test("bought at -20 bp and sold at any fixed hour, coins earn nothing that is significant", () => {
  const top = emptyTop();
  const rows = (3 * 365 * DAY) / (15 * MINUTE);
  const sums = Array.from({ length: 24 }, (): number[] => []);
  for (let seed = 501; seed <= 508; seed++) {
    const market = syntheticMarket(seed, calibrated);
    const [bid, ask] = [new Float64Array(rows), new Float64Array(rows)];
    for (let row = 0; row < rows; row++) {
      market.read(VCHF, millis(START + row * 15 * MINUTE), top);
      bid[row] = top.bid;
      ask[row] = top.ask;
    }
    for (const [hour, of] of sums.entries()) of.push(earned(bid, ask, hour));
  }
  for (const [hour, of] of sums.entries()) {
    const mean = of.reduce((total, one) => total + one, 0) / of.length;
    const deviation = Math.sqrt(of.reduce((total, one) => total + (one - mean) ** 2, 0) / (of.length - 1));
    expect(mean / (deviation / Math.sqrt(of.length)), `sold at ${hour}:00`).toBeLessThan(2);
  }
});

/** In bp of the stake. At 0.998 where the price crosses it, at the price where it is below already. */
function earned(bid: Float64Array, ask: Float64Array, hour: number): number {
  let [sum, paid, until] = [0, 0, 0];
  for (let row = 1; row < bid.length; row++) {
    const at = START + row * 15 * MINUTE;
    if (paid === 0 && (ask[row] as number) < 0.998) {
      paid = (ask[row - 1] as number) < 0.998 ? (ask[row] as number) : 0.998;
      until = Math.ceil((at + 1 - hour * HOUR) / DAY) * DAY + hour * HOUR;
    } else if (paid > 0 && at >= until) {
      sum += ((bid[row] as number) / paid - 1) * 1e4;
      paid = 0;
    }
  }
  return sum;
}

describe("the dealer", () => {
  const pair = DEFAULT_PAIRS.find(({ symbol }) => symbol === VCHF) as Pair;
  const size = Quantity.of("10000");
  const dealing = { ...calibrated.dealing, shownBetterBps: 0, shownNoiseBps: 0, inventoryMax: 0 };

  function stage(stale = 0) {
    const market = pushedMarket(syntheticMarket(1, calibrated));
    const push = (mid: number): void =>
      market.push(VCHF, { bid: mid * 0.9994, ask: mid * 1.0006, bidSize: 50_000, askSize: 50_000 });
    push(1);
    const parts = { market: { ...market, stale: () => stale }, dealing, seed: 1, isCoin: (a: Asset) => a === COIN };
    return { push, dealer: new Dealer(parts) };
  }

  test("has its last look at the world's price, not at its own", () => {
    const at = millis(START);
    expect(stage(0).dealer.refuses(pair, "buy", at)).toBe(false);
    // The world is 1 bp above its price: a buyer is refused, a seller is welcome.
    expect(stage(1e-4).dealer.refuses(pair, "buy", at)).toBe(true);
    expect(stage(1e-4).dealer.refuses(pair, "sell", at)).toBe(false);
  });

  test("lets an order pay half of what it moves", () => {
    const { dealer } = stage();
    const [small, large] = [Quantity.zero, size].map((quantity) => dealer.price(pair, "buy", millis(START), quantity));
    // 0.8 bp for 10,000, half of it 0.4 bp, on 1.0006.
    expect((large?.toNumber() ?? 0) - (small?.toNumber() ?? 0)).toBeCloseTo(0.00004, 5);
  });

  test("widens, shrinks and refuses more once our fills gained on it, and relaxes over days", () => {
    const { dealer, push } = stage();
    const at = millis(START);
    dealer.price(pair, "buy", at, size);
    dealer.take(pair, "buy", size, at);
    push(1.003);
    const later = millis(START + 5 * MINUTE);
    dealer.price(pair, "buy", later);
    // Bought at 1.0006 and worth 1.003: about 24 bp gained, of which 20 count as one part.
    const wary = dealer.wariness(pair, later);
    expect(wary).toBeGreaterThan(2);
    expect(wary).toBeLessThan(2.3);
    expect(dealer.size(pair, "buy", later).toNumber()).toBeLessThan(50_000 / 2);
    expect(dealer.wariness(pair, millis(later + 3 * DAY)) - 1).toBeCloseTo((wary - 1) / 2, 6);
  });
});
