// The one grammar of amounts: what it refuses, by the names of the fault list (V01 to V06), and what it prints.

import { describe, expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import { err, unwrap } from "../../../src/domain/result.ts";

const CHF = "CHF" as Asset;

/** Every reader of amounts refuses it: price, quantity, and money of either sign. */
function expectRefused(value: unknown, reason: RegExp): void {
  const results = [
    Price.parse(value),
    Quantity.parse(value),
    Quantity.parse(value, "positive"),
    Money.parse(value, CHF),
    Money.parse(value, CHF, "any"),
  ];
  for (const result of results) {
    expect(result.ok, String(value)).toBe(false);
    if (!result.ok) expect(result.error).toMatch(reason);
  }
}

const PLAIN = /^amount must be a plain decimal of at most 18\+18 digits, was "/;

describe("V01 text that JavaScript would call a number, but is no amount, is refused", () => {
  const texts = ["NaN", "Infinity", "-Infinity", "1e400", "1e-400", "1e3", "1E3", "0x10", "0b1", "1n", "true"];
  for (const text of texts) test(text, () => expectRefused(text, PLAIN));
});

describe("V02 minus zero", () => {
  for (const text of ["-0", "-0.00"])
    test(`${text} is refused where a field may not be negative, and is plain 0 where it may`, () => {
      for (const result of [Price.parse(text), Quantity.parse(text), Money.parse(text, CHF)]) {
        expect(result).toEqual({ ok: false, error: `amount must not be negative, was "${text}"` });
      }
      const zero = unwrap(Money.parse(text, CHF, "any"));
      expect(`${zero}`).toBe("0");
      expect(zero.isNegative()).toBe(false);
      expect(zero.negated().toString()).toBe("0");
      expect(Object.is(zero.negated().toNumber(), 0)).toBe(true);
    });
});

describe("V03 a missing value is never zero", () => {
  for (const text of ["", " ", "\t"]) test(`blank ${JSON.stringify(text)}`, () => expectRefused(text, PLAIN));
  const values: [unknown, string][] = [
    [null, "null"],
    [undefined, "undefined"],
    [0, "number"],
    [1.5, "number"],
    [5n, "bigint"],
    [["1"], "object"],
    [{ toString: () => "1" }, "object"],
    [new String("1"), "object"],
  ];
  for (const [value, name] of values)
    test(`${name} ${String(value)}`, () =>
      expectRefused(value, new RegExp(`^amount must be a decimal text, was ${name}$`)));
});

describe("V04 more digits than 18 before the point or 18 behind it are refused, not cut", () => {
  for (const text of [
    "1".repeat(40),
    "1".repeat(19),
    `0.${"1".repeat(19)}`,
    `1.${"0".repeat(19)}`,
    "9".repeat(1_000_000),
  ])
    test(`${text.slice(0, 24)} of ${text.length} characters`, () => expectRefused(text, PLAIN));

  test("18 and 18 digits are kept to the last one", () => {
    const text = "123456789012345678.123456789012345678";
    expect(Money.of(text, CHF).toString()).toBe(text);
    expect(Money.of(`-${text}`, CHF).toString()).toBe(`-${text}`);
  });

  test("a refusal of a long text shows its beginning only", () => {
    const result = Quantity.parse("7".repeat(1_000_000));
    const shown = `"${"7".repeat(40)}... (1000000 characters)"`;
    expect(result).toEqual(err(`amount must be a plain decimal of at most 18+18 digits, was ${shown}`));
  });

  test("a refusal cannot steer a terminal or turn a line around", () => {
    const result = Quantity.parse("1\u001b[2J\u009b\u202e0");
    expect(result).toEqual(err('amount must be a plain decimal of at most 18+18 digits, was "1\\x1b[2J\\x9b\\u202e0"'));
  });
});

describe("V05 separators, spaces and the digits of other scripts are refused", () => {
  const texts = ["1,234.50", "1.234,50", "1 000", "1_000", "１２", "1\u00a0000", "1.2.3"];
  for (const text of texts) test(text, () => expectRefused(text, PLAIN));
});

describe("V06 lenient forms are refused", () => {
  const texts = ["01", "-01", ".5", "5.", "+5", "--5", "-", "5\n", " 5", "\ufeff5", "5\0"];
  for (const text of texts) test(JSON.stringify(text), () => expectRefused(text, PLAIN));
});

test("zero is an amount of money and a quantity, but no price and no positive quantity", () => {
  expect(Money.parse("0", CHF).ok).toBe(true);
  expect(Quantity.parse("0.00").ok).toBe(true);
  expect(Price.parse("0.00")).toEqual({ ok: false, error: 'amount must be positive, was "0.00"' });
  expect(Quantity.parse("0", "positive")).toEqual({ ok: false, error: 'amount must be positive, was "0"' });
});

test("amounts print without needless zeros", () => {
  const shown = (text: string): string => Money.of(text, CHF).toString();
  expect(["1.50", "100", "0.10", "-0.000000000000000001", "10.0"].map(shown)).toEqual([
    "1.5",
    "100",
    "0.1",
    "-0.000000000000000001",
    "10",
  ]);
});
