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

test("digits beyond the eighteenth do not soften a limit", () => {
  // 0.1 * 15 units = 1.5 units of 10^-18; one more unit is 2.5, so that 2 keeps a buy's limit and 3 does not.
  const order = { symbol: "VCHF/CHF" as PairSymbol, quantity: Quantity.of("0.1"), limit: Price.ofSteps(15, 18) };
  expect(keepsLimit({ ...order, side: "buy" }, Money.ofSteps(2, 18, CHF), 18)).toBe(true);
  expect(keepsLimit({ ...order, side: "buy" }, Money.ofSteps(3, 18, CHF), 18)).toBe(false);
  // One unit less than 1.5 is 0.5: a sell may bring 1 and not 0.
  expect(keepsLimit({ ...order, side: "sell" }, Money.ofSteps(1, 18, CHF), 18)).toBe(true);
  expect(keepsLimit({ ...order, side: "sell" }, Money.zero(CHF), 18)).toBe(false);
});
