// What the money types promise beyond arithmetic: they do not mix, they do not meet floats, they stay in bounds.

import { describe, expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";

const CHF = "CHF" as Asset;
const VCHF = "VCHF" as Asset;
const chf = (text: string): Money => Money.of(text, CHF);

describe("two assets never mix", () => {
  const operations: [string, (a: Money, b: Money) => unknown][] = [
    ["plus", (a, b) => a.plus(b)],
    ["minus", (a, b) => a.minus(b)],
    ["compare", (a, b) => a.compare(b)],
    ["atLeast", (a, b) => a.atLeast(b)],
    ["sum", (a, b) => Money.sum([a, b], a.asset)],
  ];
  for (const [name, operation] of operations)
    test(`${name} of francs and coins throws`, () => {
      expect(() => operation(chf("1"), Money.of("1", VCHF))).toThrow("cannot combine CHF with VCHF");
      expect(() => operation(chf("1"), chf("1"))).not.toThrow();
    });
});

describe("operators on amounts throw", () => {
  const a = Price.of("2") as unknown as number;
  const b = Price.of("10") as unknown as number;
  const operators: [string, () => unknown][] = [
    ["<", () => a < b],
    [">=", () => a >= b],
    ["+", () => a + b],
    ["*", () => a * b],
    ["unary +", () => +a],
  ];
  for (const [name, operation] of operators)
    test(name, () => expect(operation).toThrow("amounts take no operators: use their methods"));

  test("a template prints them", () => expect(`${Price.of("1.50")}`).toBe("1.5"));
});

describe("arithmetic stays within 18 and 18 digits", () => {
  const largest = "999999999999999999.999999999999999999";
  const message = "amount must stay below 18 integer digits";
  test("a sum, a product and a quotient beyond it throw instead of growing", () => {
    expect(() => chf(largest).plus(Money.ofSteps(1, 18, CHF))).toThrow(message);
    expect(() => chf(`-${largest}`).minus(Money.ofSteps(1, 18, CHF))).toThrow(message);
    expect(() => Quantity.of(largest).plus(Quantity.ofSteps(1, 18))).toThrow(message);
    expect(() => Price.of("1.000001").times(Quantity.of(largest), CHF, "down")).toThrow(message);
    expect(() => Quantity.affordable(chf("1"), Price.of("0.000000000000000001"))).toThrow(message);
    expect(() => chf(largest).rounded(0, "up")).toThrow(message);
    expect(() => Price.of(largest).shifted(1, "up")).toThrow(message);
  });

  test("at the bound itself they are exact", () => {
    expect(chf("999999999999999999").plus(chf("0.999999999999999999")).toString()).toBe(largest);
    expect(chf(largest).minus(chf(largest)).isZero()).toBe(true);
  });
});

describe("prices, quantities and money work together", () => {
  test("a purchase: 250.5 at 0.9987 costs 250.17435 and implies the price again", () => {
    const cost = Price.of("0.9987").times(Quantity.of("250.5"), CHF, "up");
    expect(cost.toJSON()).toEqual({ asset: "CHF", amount: "250.17435" });
    expect(Price.implied(cost, Quantity.of("250.5"), "down")?.toString()).toBe("0.9987");
  });

  test("a quantity does not go below zero", () => {
    expect(Quantity.of("1").minus(Quantity.of("1.01"))).toBeUndefined();
    expect(Quantity.of("1").minus(Quantity.of("1"))?.isZero()).toBe(true);
  });

  test("a fee of 12.5 basis points on 1000.01 is 1.2500125, up to 1.26 in centimes", () => {
    // 1000.01 * 0.00125 = 1.2500125
    expect(chf("1000.01").share(12.5, "up").toString()).toBe("1.2500125");
    expect(chf("1000.01").share(12.5, "up").rounded(2, "up").toString()).toBe("1.26");
  });

  test("basis points with two decimals are exact although their floats are not", () => {
    expect(0.29 * 100).not.toBe(29);
    expect(chf("10000").share(0.29, "down").toString()).toBe("0.29");
    expect(Price.of("1").shifted(0.29, "down").toString()).toBe("1.000029");
    expect(Price.of("1").shifted(-0.29, "down").toString()).toBe("0.999971");
  });

  test("rounding down a loss makes it larger, rounding it up smaller", () => {
    expect(chf("-1.005").rounded(2, "down").toString()).toBe("-1.01");
    expect(chf("-1.005").rounded(2, "up").toString()).toBe("-1");
    expect(chf("-1").exchanged(Price.of("3"), VCHF, "down").toString()).toBe("-0.333333333333333334");
    expect(chf("-1").exchanged(Price.of("3"), VCHF, "up").toString()).toBe("-0.333333333333333333");
  });
});

describe("amounts outside the program", () => {
  test("JSON is text, never a number, and money says its asset", () => {
    const data = { price: Price.of("0.10"), quantity: Quantity.of("5"), money: chf("-1.50") };
    expect(JSON.stringify(data)).toBe('{"price":"0.1","quantity":"5","money":{"asset":"CHF","amount":"-1.5"}}');
  });

  test("deep equality sees the amount and the asset", () => {
    expect(chf("1.50")).toEqual(chf("1.5"));
    expect(chf("1.5")).not.toEqual(chf("1.51"));
    expect(chf("1.5")).not.toEqual(Money.of("1.5", VCHF));
    expect(Price.of("1")).not.toEqual(Price.of("2"));
  });
});
