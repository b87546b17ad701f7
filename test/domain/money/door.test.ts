// The door from float signal to exact price and size: rounding that never favours the other side, refusals by name.

import { describe, expect, test } from "vitest";
import { limitFromSignal, sizeFromSignal } from "../../../src/domain/money/door.ts";
import { Quantity } from "../../../src/domain/money/money.ts";
import type { Side } from "../../../src/domain/order.ts";
import { type Result, unwrap } from "../../../src/domain/result.ts";
import { anInstrument } from "../../support/instrument.ts";

const pair = anInstrument();
const limit = (signal: number, side: Side, priceDecimals = 4): string =>
  unwrap(limitFromSignal(signal, side, anInstrument({ priceDecimals }))).toString();
const size = (signal: number | string, quantityDecimals = 2): string =>
  unwrap(sizeFromSignal(signal, anInstrument({ quantityDecimals }))).toString();
const refusal = (result: Result<unknown>): string => (result.ok ? `was let through: ${result.value}` : result.error);

describe("limits", () => {
  test("a buy limit between two ticks becomes the lower one, a sell limit the upper one", () => {
    expect(limit(0.99876, "buy")).toBe("0.9987");
    expect(limit(0.99871, "sell")).toBe("0.9988");
  });

  test("a limit on a tick stays there on both sides", () => {
    expect(limit(0.9987, "buy")).toBe("0.9987");
    expect(limit(0.9987, "sell")).toBe("0.9987");
  });

  test("0.1 + 0.2 on a tick of 0.1 is 0.3, although the float is above it", () => {
    expect(0.1 + 0.2).toBeGreaterThan(0.3);
    expect(limit(0.1 + 0.2, "buy", 1)).toBe("0.3");
    expect(limit(0.1 + 0.2, "sell", 1)).toBe("0.3");
  });

  test("the twelfth significant digit counts, the thirteenth is noise", () => {
    expect(limit(1.00000000001, "sell", 2)).toBe("1.01");
    expect(limit(1.000000000001, "sell", 2)).toBe("1");
    expect(limit(0.999999999999, "buy", 2)).toBe("0.99");
    expect(limit(0.9999999999999, "buy", 2)).toBe("1");
  });

  test("a buy limit below one tick is refused with the tick and the value", () => {
    expect(refusal(limitFromSignal(0.00009, "buy", pair))).toBe(
      "limit of VCHF/CHF must be at least one tick of 0.0001, was 0.00009",
    );
    expect(refusal(limitFromSignal(1e-17, "buy", anInstrument({ priceDecimals: 12 })))).toBe(
      "limit of VCHF/CHF must be at least one tick of 0.000000000001, was 1e-17",
    );
  });
});

describe("sizes", () => {
  test("a size is never rounded up", () => {
    expect(size(100.999)).toBe("100.99");
    expect(size("100.999")).toBe("100.99");
    expect(size(1234.5678, 0)).toBe("1234");
  });

  test("a stated size keeps all its digits, more than a float has", () => {
    expect(size("123456789012345.678901234567890123", 18)).toBe("123456789012345.678901234567890123");
  });

  test("a stated size follows the strict grammar", () => {
    expect(refusal(sizeFromSignal("1e3", pair))).toContain(
      'must be a plain decimal of at most 18+18 digits, was "1e3"',
    );
    expect(refusal(sizeFromSignal("-5", pair))).toContain("must not be negative");
    expect(refusal(sizeFromSignal("0", pair))).toContain("must be positive");
  });

  test("a size at the minimum passes, one step below it is refused with the minimum and the value", () => {
    const least = anInstrument({ quantityMin: Quantity.of("10") });
    expect(unwrap(sizeFromSignal(10, least)).toString()).toBe("10");
    expect(unwrap(sizeFromSignal("10", least)).toString()).toBe("10");
    const message = "size of VCHF/CHF must be at least the minimum 10, was 9.99";
    expect(refusal(sizeFromSignal(9.99, least))).toBe(message);
    expect(refusal(sizeFromSignal("9.999", least))).toBe(message);
  });

  test("a size below one step is refused, not sent as zero", () => {
    const message = "size of VCHF/CHF must be at least one step of 0.01, was 0.009";
    expect(refusal(sizeFromSignal(0.009, pair))).toBe(message);
    expect(refusal(sizeFromSignal("0.009", pair))).toBe(message);
  });
});

describe("what is no amount is refused by name", () => {
  const cases: [unknown, string][] = [
    [0, "must be positive, was 0"],
    [-0, "must be positive, was 0"],
    [1e18, "must be at most 999999999999000000, was 1000000000000000000"],
    [undefined, "must be a number, was undefined"],
    [5n, "must be a number, was bigint"],
  ];
  for (const [value, message] of cases)
    test(`${typeof value} ${String(value)}`, () => {
      expect(refusal(limitFromSignal(value as number, "buy", pair))).toBe(`limit ${message}`);
      expect(refusal(limitFromSignal(value as number, "sell", pair))).toBe(`limit ${message}`);
      expect(refusal(sizeFromSignal(value as number, pair))).toBe(`size ${message}`);
    });

  test("text where a limit belongs", () => {
    expect(refusal(limitFromSignal("1" as unknown as number, "buy", pair))).toBe("limit must be a number, was string");
  });

  test("the smallest float is below every tick and the largest amount passes", () => {
    expect(limitFromSignal(Number.MIN_VALUE, "buy", anInstrument({ priceDecimals: 18 })).ok).toBe(false);
    expect(limit(Number.MIN_VALUE, "sell", 18)).toBe("0.000000000000000001");
    expect(limit(999_999_999_999e6, "sell", 18)).toBe("999999999999000000");
  });
});
