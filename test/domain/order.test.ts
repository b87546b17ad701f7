// Orders: their two legs, and whether a fill keeps its limit.

import { expect, test } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import { keepsLimit, legs, type Side } from "../../src/domain/order.ts";

const CHF = "CHF" as Asset;
const VCHF = "VCHF" as Asset;

test("a buy takes base for quote, a sell quote for base", () => {
  expect(legs("buy", VCHF, CHF)).toEqual({ bought: VCHF, sold: CHF });
  expect(legs("sell", VCHF, CHF)).toEqual({ bought: CHF, sold: VCHF });
});

// 333.33 * 0.9987 = 332.896671
const keeps = (side: Side, quoteLeg: string): boolean =>
  keepsLimit(
    { symbol: "VCHF/CHF" as PairSymbol, side, quantity: Quantity.of("333.33"), limit: Price.of("0.9987") },
    Money.of(quoteLeg, CHF),
    2,
  );

test("a buy keeps its limit up to one unit of the last digit above it", () => {
  expect(keeps("buy", "300")).toBe(true);
  expect(keeps("buy", "332.89")).toBe(true);
  expect(keeps("buy", "332.9")).toBe(true);
  expect(keeps("buy", "332.906671")).toBe(true);
  expect(keeps("buy", "332.906671000000000001")).toBe(false);
  expect(keeps("buy", "332.91")).toBe(false);
});

test("a sell keeps its limit down to one unit of the last digit below it", () => {
  expect(keeps("sell", "400")).toBe(true);
  expect(keeps("sell", "332.89")).toBe(true);
  expect(keeps("sell", "332.886671")).toBe(true);
  expect(keeps("sell", "332.886670999999999999")).toBe(false);
  expect(keeps("sell", "332.88")).toBe(false);
});
