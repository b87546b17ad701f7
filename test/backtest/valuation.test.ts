// What is held in a backtest is worth what was recorded, wherever something was.

import { expect, it } from "vitest";
import { Valuation } from "../../backtest/valuation.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { millis } from "../../src/domain/time.ts";
import { DEFAULT_ASSETS, DEFAULT_PAIRS } from "../../src/simulator/core/listing.ts";
import type { Market } from "../../src/simulator/market/market.ts";

const MIDDLES: Readonly<Record<string, number>> = {
  "VCHF/CHF": 0.99,
  "VGBP/GBP": 1.01,
  "VGBP/VCHF": 1.1,
  "VCHF/BTC": 0.00001,
  "USDC/CHF": 0.8,
};
const RATES: Readonly<Record<string, number>> = { "GBP/CHF": 1.2, "BTC/CHF": 90_000 };

const market: Market = {
  read(symbol, _, into) {
    const middle = MIDDLES[symbol];
    if (middle === undefined) return false;
    Object.assign(into, { bid: middle * 0.999, ask: middle * 1.001 });
    return true;
  },
  rate: (base, quote) => RATES[`${base}/${quote}`],
  depthEpoch: () => 0,
};

function worth(asset: string, ...recorded: string[]): number | undefined {
  const listed = { assets: DEFAULT_ASSETS, pairs: DEFAULT_PAIRS, recorded: recorded as PairSymbol[] };
  return new Valuation(market, "CHF" as Asset, listed).rateOf(asset as Asset, millis(0));
}

it("a coin is worth its own price in a currency where that was recorded, or nothing was", () => {
  for (const recorded of [[], ["VGBP/GBP", "VGBP/VCHF", "VCHF/CHF"]]) {
    expect(worth("VCHF", ...recorded)).toBeCloseTo(0.99, 9);
    expect(worth("VGBP", ...recorded)).toBeCloseTo(1.01 * 1.2, 9);
  }
  expect([worth("BTC"), worth("USDC"), worth("GBP"), worth("ETH")]).toEqual([90_000, 0.8, 1.2, undefined]);
});

it("two coins are worth to each other what was recorded of the two, not what synthetic prices make of them", () => {
  // Only the pair was: the franc's coin, which has a price in the currency itself, carries both.
  expect([worth("VCHF", "VGBP/VCHF"), worth("VGBP", "VGBP/VCHF")]).toEqual([0.99, 1.089]);
  // 1.1 * 0.99, and the other way round 1.01 * 1.2 / 1.1.
  expect(worth("VGBP", "VGBP/VCHF", "VCHF/CHF")).toBeCloseTo(1.089, 9);
  expect(worth("VCHF", "VGBP/VCHF", "VGBP/GBP")).toBeCloseTo(1.212 / 1.1, 9);
  expect(worth("VGBP", "VGBP/VCHF", "VGBP/GBP")).toBeCloseTo(1.212, 9);
  // 0.99 / 0.00001, where the market's rate says 90,000.
  expect(worth("BTC", "VCHF/BTC")).toBeCloseTo(99_000, 6);
});

it("while one price on the way is missing the last of that one stands, and the others go on", () => {
  const open = { pairs: true, rates: true };
  const middles: Record<string, number> = { ...MIDDLES };
  const rates: Record<string, number> = { ...RATES };
  const closing: Market = {
    read: (symbol, _, into) => {
      const middle = open.pairs ? middles[symbol] : undefined;
      if (middle === undefined) return false;
      Object.assign(into, { bid: middle, ask: middle });
      return true;
    },
    rate: (base, quote) => (open.rates ? rates[`${base}/${quote}`] : undefined),
    depthEpoch: () => 0,
  };
  const valuation = new Valuation(closing, "CHF" as Asset, {
    assets: DEFAULT_ASSETS,
    pairs: DEFAULT_PAIRS,
    recorded: [],
  });
  const coin = (): number | undefined => valuation.rateOf("VGBP" as Asset, millis(0));
  open.rates = false;
  expect(coin()).toBeUndefined();
  open.rates = true;
  expect(coin()).toBeCloseTo(1.01 * 1.2, 9);
  // The weekend of the pound: its last rate, and the venue's price of the coin in pounds, which goes on.
  Object.assign(open, { rates: false });
  middles["VGBP/GBP"] = 0.998;
  expect(coin()).toBeCloseTo(0.998 * 1.2, 9);
  Object.assign(open, { pairs: false, rates: true });
  rates["GBP/CHF"] = 1.3;
  expect(coin()).toBeCloseTo(0.998 * 1.3, 9);
});
