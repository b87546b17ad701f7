// Every operation of the money types, held against decimal.js at precision 80 and against exact fractions.

import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import { compareWithShadows } from "../../support/money-shadow.ts";

const Shadow = Decimal.clone({ precision: 80, toExpNeg: -90, toExpPos: 90, defaults: true });
const CHF = "CHF" as Asset;

/** Any text of the grammar with up to 18 + 18 digits, not negative. */
const amountText = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), fc.stringMatching(/^[0-9]{0,18}$/))
  .map(([whole, fraction]) => (fraction ? `${whole}.${fraction}` : `${whole}`));
const smallText = fc
  .tuple(fc.integer({ min: 0, max: 99_999_999 }), fc.stringMatching(/^[0-9]{0,8}$/))
  .map(([whole, fraction]) => (fraction ? `${whole}.${fraction}` : `${whole}`));
/** Of up to ten digits before the point and any number behind it: where amounts become large ones. */
const borderText = fc
  .tuple(
    fc.integer({ min: 0, max: 10 }),
    fc.bigInt({ min: 0n, max: 10n ** 10n - 1n }),
    fc.stringMatching(/^[0-9]{0,18}$/),
  )
  .map(([digits, whole, fraction]) => [whole % 10n ** BigInt(digits), fraction] as const)
  .map(([whole, fraction]) => (fraction ? `${whole}.${fraction}` : `${whole}`));
const positiveText = smallText.filter((text) => /[1-9]/.test(text));

describe("money agrees with decimal.js and with fractions", () => {
  // 30,000 in all; scripts/money-long.ts does ten million.
  for (const seed of [1, 2])
    test(`over 15,000 operations of seed ${seed}`, () => {
      const figures = compareWithShadows(seed, 15_000);
      expect(figures.operations).toBe(15_000);
      // Overflows must be met, and must stay the exception.
      expect(figures.refused).toBeGreaterThan(50);
      expect(figures.refused).toBeLessThan(2_500);
    });

  test("the float of an amount is the nearest one, also of what lies right beside the middle of two floats", () => {
    fc.assert(
      fc.property(fc.oneof(amountText, smallText), fc.boolean(), (text, isNegative) => {
        const signed = isNegative && /[1-9]/.test(text) ? `-${text}` : text;
        expect(Money.of(signed, CHF).toNumber()).toBe(Number(signed));
      }),
      { numRuns: 1_500 },
    );
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 8e9, noNaN: true }), fc.integer({ min: -2, max: 2 }), (float, off) => {
        const bits = new BigUint64Array(new Float64Array([float]).buffer);
        bits[0] = (bits[0] as bigint) + 1n;
        const next = new Float64Array(bits.buffer)[0] as number;
        const text = new Shadow(float).plus(next).div(2).plus(new Shadow(off).mul("1e-18")).toFixed(18);
        expect(Money.of(text, CHF).toNumber()).toBe(Number(text));
      }),
      { numRuns: 1_500 },
    );
    // So near to the middle that floats alone come to the wrong one.
    for (const text of ["77.489362737208459464", "84.275189764191928532", "0.001947903060804946"])
      expect(Money.of(text, CHF).toNumber()).toBe(Number(text));
  });

  test("what is parsed prints as the canonical decimal, and parses again to the same", () => {
    fc.assert(
      fc.property(fc.oneof(amountText, borderText), fc.boolean(), (text, isNegative) => {
        const signed = isNegative ? `-${text}` : text;
        const money = Money.of(signed, CHF);
        // No minus zero.
        expect(money.toString()).toBe(new Shadow(signed).plus(0).toFixed());
        expect(Money.of(money.toString(), CHF).equals(money)).toBe(true);
        expect(money.size().equals(Money.of(text, CHF))).toBe(true);
      }),
      { numRuns: 4_000 },
    );
  });

  test("adding and taking away again gives back the same, to the last digit", () => {
    fc.assert(
      fc.property(smallText, amountText, (a, b) => {
        fc.pre(!b.startsWith("9999999999"));
        const [x, y] = [Money.of(a, CHF), Money.of(b, CHF)];
        expect(x.plus(y).minus(y).equals(x)).toBe(true);
        expect(x.minus(y).negated().equals(y.minus(x))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("what is affordable can be paid for, and one unit more cannot", () => {
    fc.assert(
      fc.property(smallText, positiveText, (m, p) => {
        const [money, price] = [Money.of(m, CHF), Price.of(p)];
        fc.pre(new Shadow(m).div(p).lt("1e18"));
        const quantity = Quantity.affordable(money, price);
        const more = quantity.plus(Quantity.ofSteps(1, 18));
        expect(price.times(quantity, CHF, "down").atMost(money)).toBe(true);
        expect(new Shadow(more.toString()).times(p).gt(m)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("rounding down and up enclose the amount, one step apart at most", () => {
    fc.assert(
      fc.property(smallText, fc.boolean(), fc.integer({ min: 0, max: 18 }), (text, negative, decimals) => {
        const money = negative ? Money.of(text, CHF).negated() : Money.of(text, CHF);
        const [low, high] = [money.rounded(decimals, "down"), money.rounded(decimals, "up")];
        expect(low.atMost(money) && money.atMost(high)).toBe(true);
        const apart = high.minus(low);
        expect(apart.equals(money.fits(decimals) ? Money.zero(CHF) : Money.ofSteps(1, decimals, CHF))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
