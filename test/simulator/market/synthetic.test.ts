import { describe, expect, test } from "vitest";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { millis } from "../../../src/domain/time.ts";
import { FxWeek } from "../../../src/market/fx-week.ts";
import { emptyTop, type Market } from "../../../src/simulator/market/market.ts";
import { DEMO_MARKET, withoutEdge } from "../../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../../src/simulator/market/synthetic.ts";
import { closedSince } from "../../../src/simulator/market/weekend.ts";

const DAY = 86_400_000;
const YEAR = 365.25 * DAY;
const START = Date.UTC(2026, 5, 1);
const PAIRS = Object.keys(DEMO_MARKET.pairs) as PairSymbol[];

function shown(market: Market, symbol: PairSymbol, at: number): string {
  const top = emptyTop();
  return market.read(symbol, millis(at), top) ? `${top.bid} ${top.ask} ${top.bidSize} ${top.askSize}` : "none";
}

function middle(market: Market, symbol: PairSymbol, at: number): number {
  const top = emptyTop();
  return market.read(symbol, millis(at), top) ? (top.bid + top.ask) / 2 : Number.NaN;
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

describe("a price", () => {
  test("is a function of seed and time: who looks, how often and in which order does not matter", () => {
    const seed = 42;
    const random = createRandom(seed);
    const straight = syntheticMarket(seed);
    const times = Array.from({ length: 400 }, (_, i) => START + i * 733);
    const expected = new Map(times.map((at) => [at, PAIRS.map((symbol) => shown(straight, symbol, at)).join()]));
    const jumpy = syntheticMarket(seed);
    for (let i = 0; i < 2_000; i++) {
      const at = times[random.integer(0, times.length - 1)] as number;
      shown(jumpy, PAIRS[random.integer(0, PAIRS.length - 1)] as PairSymbol, random.integer(0, 4_000_000) * 1_000_000);
      jumpy.rate("GBP" as Asset, "CHF" as Asset, millis(at - random.integer(0, 100_000)));
      expect(PAIRS.map((symbol) => shown(jumpy, symbol, at)).join(), `seed ${seed}`).toBe(expected.get(at));
    }
  });

  test("is never crossed, and always a positive number, over ten years of every pair", () => {
    const market = syntheticMarket(5);
    const top = emptyTop();
    for (const symbol of PAIRS) {
      for (let at = Date.UTC(2024, 0, 1); at < Date.UTC(2034, 0, 1); at += 3.7 * DAY) {
        expect(market.read(symbol, millis(at), top)).toBe(true);
        expect(top.bid > 0 && top.bid < top.ask && top.bidSize > 0 && top.askSize > 0 && top.ask < 1e9, symbol).toBe(
          true,
        );
      }
    }
  });
});

describe("the market is calibrated", () => {
  test.each([
    ["GBP", 0.08],
    ["BTC", 0.5],
  ])("%s against CHF has a volatility of %d a year, at every pace of looking", (base, volatility) => {
    for (const stepMs of [250, 60_000, 3_600_000]) {
      const moves: number[] = [];
      for (const seed of [1, 2, 3, 4]) {
        const market = syntheticMarket(seed);
        const rate = (i: number) =>
          market.rate(base as Asset, "CHF" as Asset, millis(START + i * stepMs)) ?? Number.NaN;
        for (let i = 1; i <= 2_000; i++) moves.push(Math.log(rate(i) / rate(i - 1)));
      }
      const perYear = deviation(moves) * Math.sqrt(YEAR / stepMs);
      expect(perYear / volatility, `every ${stepMs} ms`).toBeGreaterThan(0.96);
      expect(perYear / volatility, `every ${stepMs} ms`).toBeLessThan(1.04);
    }
  });

  test("a coin strays from par by its stated deviation and returns with its stated half-life", () => {
    const calm = { ...DEMO_MARKET, stress: { ...DEMO_MARKET.stress, chancePerDay: 0 } };
    const pairs = withoutEdge(DEMO_MARKET).pairs;
    const now: number[] = [];
    const later: number[] = [];
    for (let seed = 1; seed <= 40; seed++) {
      const market = syntheticMarket(seed, { ...calm, pairs });
      for (let day = 0; day < 50; day++) {
        now.push(Math.log(middle(market, "VCHF/CHF" as PairSymbol, START + day * DAY)));
        later.push(Math.log(middle(market, "VCHF/CHF" as PairSymbol, START + day * DAY + 40 * 60_000)));
      }
    }
    expect(deviation(now) * 1e4).toBeGreaterThan(11.4);
    expect(deviation(now) * 1e4).toBeLessThan(12.6);
    const product = now.reduce((sum, value, i) => sum + value * (later[i] as number), 0);
    const square = now.reduce((sum, value) => sum + value * value, 0);
    expect(product / square).toBeGreaterThan(0.45);
    expect(product / square).toBeLessThan(0.55);
  });

  test("without its edge every pair stands at the cross of its references, with its spread", () => {
    const market = syntheticMarket(4, withoutEdge(DEMO_MARKET));
    for (let i = 0; i < 200; i++) {
      const at = START + i * 7_654_321;
      expect(middle(market, "VCHF/CHF" as PairSymbol, at)).toBeCloseTo(1, 12);
      const cross = market.rate("VGBP" as Asset, "USD" as Asset, millis(at)) ?? 0;
      expect(middle(market, "VGBP/USDC" as PairSymbol, at) / cross).toBeCloseTo(1, 12);
    }
  });
});

describe("at the weekend", () => {
  const friday = Date.UTC(2026, 5, 5, 21); // a Friday in summer, 17:00 in New York
  const market = syntheticMarket(7, { ...DEMO_MARKET, weekendCloses: true });

  test("pairs of two currencies have no price from Friday to Sunday, 17:00 in New York, others go on", () => {
    const isOpen = (symbol: string, at: number) => shown(market, symbol as PairSymbol, at) !== "none";
    expect(isOpen("VCHF/USDC", friday - 1)).toBe(true);
    expect(isOpen("VCHF/USDC", friday)).toBe(false);
    expect(isOpen("VCHF/USDC", friday + 48 * 3_600_000 - 1)).toBe(false);
    expect(isOpen("VCHF/USDC", friday + 48 * 3_600_000)).toBe(true);
    for (const symbol of ["VCHF/CHF", "VGBP/GBP", "VCHF/BTC"]) expect(isOpen(symbol, friday + 3_600_000)).toBe(true);
  });

  test("begins and ends with the one by which the bot judges its prices, in summer, in winter and when clocks change", () => {
    const week = new FxWeek();
    const HOUR = 3_600_000;
    for (let hour = Date.UTC(2026, 0, 2); hour < Date.UTC(2026, 11, 24); hour += HOUR)
      for (const at of [hour - 1, hour])
        expect([at, closedSince(millis(at)) !== undefined]).toEqual([at, week.isClosed(at)]);
    // In March the clock goes on by an hour in between, in November back.
    for (const [close, opens] of [
      [Date.UTC(2026, 2, 6, 22), Date.UTC(2026, 2, 8, 21)],
      [Date.UTC(2026, 9, 30, 21), Date.UTC(2026, 10, 1, 22)],
    ] as const) {
      expect([closedSince(millis(close - 1)), closedSince(millis(close))]).toEqual([undefined, close]);
      expect([closedSince(millis(opens - 1)), closedSince(millis(opens))]).toEqual([close, undefined]);
    }
  });
});
