// A fill that does not agree with its order is named, at the limit and one unit beyond it.

import { describe, expect, test } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { fillInconsistency } from "../../src/domain/fill-consistency.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { Side } from "../../src/domain/order.ts";

/** `"100 CHF"` as money. */
function money(text: string): Money {
  const [amount, asset] = text.split(" ") as [string, Asset];
  return Money.of(amount, asset);
}

/** 100 VCHF, or as many as told, at 0.99: worth 99 CHF. */
function problem(side: Side, bought: string, sold: string, fee = "0 CHF", quantity = "100"): string | undefined {
  const order = { symbol: "VCHF/CHF" as PairSymbol, side, quantity: Quantity.of(quantity), limit: Price.of("0.99") };
  return fillInconsistency(order, { bought: money(bought), sold: money(sold), fee: money(fee) });
}

test("amounts below zero are no fill, with a fee or without", () => {
  const said = "amounts of a fill must not be negative, was 100 VCHF for -99 CHF";
  for (const fee of ["0 CHF", "0 VCHF", "0.01 VCHF"])
    expect(problem("buy", "100 VCHF", "-99 CHF", fee), fee).toBe(said);
  expect(problem("sell", "-99 CHF", "100 VCHF")).toContain("must not be negative");
});

describe("the price", () => {
  test("of a buy may be above the limit by one unit of the last digit that the paid amount has, and not by two", () => {
    for (const paid of ["98", "99", "99.01", "99.001", "99.000000000000000001"])
      expect(problem("buy", "100 VCHF", `${paid} CHF`), paid).toBeUndefined();
    expect(problem("buy", "100 VCHF", "99.02 CHF")).toBe("paid must be at most 99.01 at limit 0.99, was 99.02");
    expect(problem("buy", "100 VCHF", "99.002 CHF")).toBe("paid must be at most 99.001 at limit 0.99, was 99.002");
    expect(problem("buy", "100 VCHF", "99.000000000000000002 CHF")).toContain("at most 99.000000000000000001 at");
  });

  test("of a sell may be below the limit by one unit of the last digit that the received amount has, and not by two", () => {
    for (const received of ["105", "99", "98.99", "98.999", "98.999999999999999999"])
      expect(problem("sell", `${received} CHF`, "100 VCHF"), received).toBeUndefined();
    expect(problem("sell", "98.98 CHF", "100 VCHF")).toBe("received must be at least 98.99 at limit 0.99, was 98.98");
    expect(problem("sell", "98.998 CHF", "100 VCHF")).toBe(
      "received must be at least 98.999 at limit 0.99, was 98.998",
    );
  });

  test("of a million has the slack of a hundredth too, also in amounts without decimals", () => {
    expect(problem("buy", "1000000 VCHF", "990000.01 CHF", "0 CHF", "1000000")).toBeUndefined();
    expect(problem("buy", "1000000 VCHF", "990001 CHF", "0 CHF", "1000000")).toContain("at most 990000.01");
    expect(problem("sell", "989999 CHF", "1000000 VCHF", "0 CHF", "1000000")).toContain("at least 989999.99");
  });

  test("of a sell may have its fee taken off the proceeds", () => {
    expect(problem("sell", "98.49 CHF", "100 VCHF", "0.5 CHF")).toBeUndefined();
    expect(problem("sell", "98.48 CHF", "100 VCHF", "0.5 CHF")).toContain("received must be at least 98.49");
  });
});

describe("the quantity", () => {
  test("is the ordered one, to the last digit", () => {
    for (const bought of ["99.999999999999999999 VCHF", "100.000000000000000001 VCHF"])
      expect(problem("buy", bought, "99 CHF")).toContain("filled quantity must be 100, was ");
    expect(problem("sell", "99 CHF", "99.99 VCHF")).toBe("filled quantity must be 100, was 99.99");
  });

  test("may lack a fee that was taken from what was bought", () => {
    expect(problem("buy", "99.5 VCHF", "99 CHF", "0.5 VCHF")).toBeUndefined();
    expect(problem("buy", "99.4 VCHF", "99 CHF", "0.5 VCHF")).toBe("filled quantity must be 100, was 99.4");
  });
});

test("the assets are those of the symbol and the side", () => {
  expect(problem("buy", "99 CHF", "100 VCHF")).toBe("a buy of VCHF/CHF must give VCHF for CHF, was CHF for VCHF");
  expect(problem("sell", "99 USD", "100 VCHF")).toBe("a sell of VCHF/CHF must give CHF for VCHF, was USD for VCHF");
});

describe("the fee", () => {
  test("is not negative and not of a third asset", () => {
    expect(problem("buy", "100 VCHF", "99 CHF", "-0.01 CHF")).toBe("fee must not be negative, was -0.01");
    expect(problem("buy", "100 VCHF", "99 CHF", "0.01 USD")).toBe("fee must be in VCHF or CHF, was in USD");
    expect(problem("buy", "100 VCHF", "99 CHF", "0 USD")).toBeUndefined();
  });

  test("is at most a twentieth of its leg", () => {
    expect(problem("buy", "100 VCHF", "99 CHF", "4.95 CHF")).toBeUndefined();
    expect(problem("buy", "100 VCHF", "99 CHF", "4.950000000000000001 CHF")).toContain(
      "fee must be at most 4.95 (5 % of 99)",
    );
  });
});
