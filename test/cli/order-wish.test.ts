// What a person wants to order is taken as it was typed, or refused by the name of its argument.

import { expect, test } from "vitest";
import { wishOf } from "../../src/cli/command/order.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Quantity } from "../../src/domain/money/money.ts";
import type { Side } from "../../src/domain/order.ts";
import { requireOnGrid } from "../../src/operation/order.ts";

const VCHF = {
  symbol: "VCHF/CHF" as PairSymbol,
  base: "VCHF" as Asset,
  quote: "CHF" as Asset,
  status: "online",
  quantityDecimals: 2,
  priceDecimals: 6,
  quantityMin: Quantity.of("1"),
};

const wish = (side: Side, quantity: string, price: string) => wishOf({ side, symbol: "VCHF/CHF", quantity }, { price });

test("an amount that is none is refused by the name of its argument", () => {
  expect(() => wish("buy", "100", "abc")).toThrow(
    '--price: amount must be a plain decimal of at most 18+18 digits, was "abc"',
  );
  expect(() => wish("buy", "1,000", "1")).toThrow("<qty>: amount must be a plain decimal");
});

test("a price or quantity that the grid of its pair cannot hold is refused", () => {
  const tried = (side: Side, quantity: string, price: string) => () => requireOnGrid(wish(side, quantity, price), VCHF);
  expect(tried("buy", "100.25", "1.000001")).not.toThrow();
  expect(tried("buy", "100", "1.00000000001")).toThrow(
    expect.objectContaining({
      code: 2,
      message: "price must have at most 6 decimals on VCHF/CHF, was 1.00000000001; nothing was sent",
    }),
  );
  expect(tried("sell", "100", "1.0000001")).toThrow("price must have at most 6 decimals");
  expect(tried("buy", "100.255", "1")).toThrow(
    expect.objectContaining({
      message: "quantity must have at most 2 decimals on VCHF/CHF, was 100.255; nothing was sent",
    }),
  );
});
