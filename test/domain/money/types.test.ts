// What must not compile. The compiler is the test: an @ts-expect-error that no longer meets an error fails the type check,
// which is a part of `npm test`.

import { expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";

const CHF = "CHF" as Asset;
const VCHF = "VCHF" as Asset;

test("a quantity where a price belongs, and other mixtures, do not compile", () => {
  const mixtures = (price: Price, quantity: Quantity, money: Money): unknown[] => {
    // @ts-expect-error a quantity is no price
    const p: Price = quantity;
    // @ts-expect-error a price is no quantity
    const q: Quantity = price;
    // @ts-expect-error money is no quantity
    const m: Quantity = money;
    // @ts-expect-error a price is multiplied by a quantity, not by a price
    price.times(price, CHF, "down");
    // @ts-expect-error money is valued at a price, not at a quantity
    money.valued(quantity, CHF, "down");
    // @ts-expect-error a price is compared with prices
    price.lessThan(quantity);
    // @ts-expect-error money is not added to a quantity
    quantity.plus(money);
    // @ts-expect-error a float is no amount
    Quantity.affordable(1.5, price);
    // @ts-expect-error rounding is stated, never assumed
    price.times(quantity, CHF);
    // @ts-expect-error plain text is no asset
    Money.zero("CHF");
    // @ts-expect-error what it is made of is nobody's business
    price.value;
    // @ts-expect-error a price comes from text, from ticks, or from other amounts
    new Price("1");
    // @ts-expect-error the same for money
    new Money("1", CHF);
    // @ts-expect-error an amount does not change
    money.asset = VCHF;
    return [p, q, m];
  };
  expect(mixtures).toBeTypeOf("function");
});
