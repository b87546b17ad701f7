import { expect, test } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Price, Quantity } from "../../src/domain/money/money.ts";
import { stakeOf } from "../../src/domain/notional.ts";

const CHF = "CHF" as Asset;
const order = (symbol: string, limit: string, quantity: string) => ({
  symbol: symbol as PairSymbol,
  side: "buy" as const,
  limit: Price.of(limit),
  quantity: Quantity.of(quantity),
});

test("what is at stake is counted in the currency of the limits, and is unknown without a rate", () => {
  const own = order("VCHF/CHF", "1.01", "100");
  const foreign = order("VGBP/GBP", "0.99", "200");
  expect(stakeOf(own, undefined, CHF)?.toString()).toBe("101");
  // 198 GBP at 1.1.
  expect(stakeOf(foreign, Price.of("1.1"), CHF)?.toString()).toBe("217.8");
  expect(stakeOf(foreign, Price.of("1.2"), CHF)?.toString()).toBe("237.6");
  expect(stakeOf(foreign, undefined, CHF)).toBeUndefined();
});
