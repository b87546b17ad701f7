// Amounts right beside the borders of what they are made of (amount.ts), held against whole numbers of 10^-18: sums that cross
// a border and come back, products and quotients that end there, and both roundings of each.

import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity, type Rounding } from "../../../src/domain/money/money.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";

const SEEDS = [20_261_115, 20_261_116];
const DRAWS = 1_500;
const CHF = "CHF" as Asset;
const ONE = 10n ** 18n;
const BOUND = 10n ** 36n;
const MILLIONTH = 10n ** 12n;
const BORDERS = [
  ...[0n, 1n, 10n ** 6n, MILLIONTH, ONE, 10n ** 27n, 10n ** 35n, BOUND - 1n],
  ...[9n * 10n ** 27n, 9n * 10n ** 15n, 2n ** 53n, 2n ** 53n * 10n ** 6n, 2n ** 53n * MILLIONTH, 3n * 10n ** 21n],
];

function drawUnits(random: Random): bigint {
  const border = BORDERS[random.integer(0, 2 * BORDERS.length)];
  const off = BigInt(random.integer(-3, 3)) * 10n ** BigInt(random.integer(0, 20));
  const any = BigInt(random.integer(0, 2 ** 32 - 1)) * 10n ** BigInt(random.integer(0, 26)) + off;
  const units = border === undefined ? any : border + off;
  return (random.next() < 0.3 ? -units : units) % BOUND;
}

function textOf(units: bigint): string {
  const size = units < 0n ? -units : units;
  const fraction = (size % ONE).toString().padStart(18, "0").replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${size / ONE}${fraction && "."}${fraction}`;
}

function divided(one: bigint, by: bigint, rounding: Rounding): bigint {
  const left = ((one % by) + by) % by;
  const down = (one - left) / by;
  return rounding === "down" || left === 0n ? down : down + 1n;
}

/** Refused beyond the bound; otherwise the very object that its text makes. */
function check(amount: () => Money | Quantity, units: bigint, what: string): void {
  const isBeyond = units >= BOUND || units <= -BOUND;
  if (isBeyond) expect(amount, what).toThrow("18 integer digits");
  else checkSame(amount(), units, what);
}

/** Asked before it is expected: there are tens of thousands. */
function checkSame(made: Money | Quantity, units: bigint, what: string): void {
  const text = textOf(units);
  const wanted = made instanceof Money ? Money.of(text, CHF) : Quantity.of(text);
  if (made.toString() !== text || !isDeepStrictEqual(made, wanted)) expect.fail(`${what}: ${made} must be ${text}`);
}

function moneyOf(units: bigint): Money {
  return Money.of(textOf(units), CHF);
}

describe("amounts at the borders of what they are made of", () => {
  test.each(SEEDS)("are added, compared and rounded as whole numbers are (seed %i)", (seed) => {
    const random = createRandom(seed);
    for (let draw = 0; draw < DRAWS; draw++) {
      const a = drawUnits(random);
      const b = random.next() < 0.2 ? (a + BigInt(random.integer(-1, 1))) % BOUND : drawUnits(random);
      const [x, y, what] = [moneyOf(a), moneyOf(b), `${textOf(a)} and ${textOf(b)}`];
      check(() => x.plus(y), a + b, what);
      check(() => x.minus(y), a - b, what);
      if (a + b < BOUND && a + b > -BOUND) check(() => x.plus(y).minus(y), a, what);
      if (a - b < BOUND && a - b > -BOUND) check(() => x.minus(y).plus(y), a, what);
      check(() => x.negated(), -a, what);
      expect([x.compare(y), x.toNumber()], what).toEqual([a < b ? -1 : a > b ? 1 : 0, Number(textOf(a))]);
      const sum = a + b;
      if (sum < BOUND && sum > -BOUND) {
        const c = random.next() < 0.5 ? (sum + BigInt(random.integer(-1, 1))) % BOUND : drawUnits(random);
        expect(moneyOf(c).covers(x, y), `${what}, ${textOf(c)}`).toBe(c >= sum);
      }
      const decimals = random.integer(0, 18);
      const grid = 10n ** BigInt(18 - decimals);
      for (const rounding of ["down", "up"] as const)
        check(() => x.rounded(decimals, rounding), divided(a, grid, rounding) * grid, `${what}, ${decimals}`);
      expect(x.fits(decimals), what).toBe(a % grid === 0n);
    }
  });

  test.each(SEEDS)("are multiplied and divided as whole numbers are (seed %i)", (seed) => {
    const random = createRandom(seed);
    for (let draw = 0; draw < DRAWS; draw++) {
      const a = drawUnits(random);
      const size = drawUnits(random);
      const b = size === 0n ? 1n : size < 0n ? -size : size;
      const [x, price, what] = [moneyOf(a), Price.of(textOf(b)), `${textOf(a)} and ${textOf(b)}`];
      const millionths = random.integer(-20_000, 20_000);
      for (const rounding of ["down", "up"] as const) {
        check(() => x.valued(price, CHF, rounding), divided(a * b, ONE, rounding), what);
        check(() => x.exchanged(price, CHF, rounding), divided(a * ONE, b, rounding), what);
        const share = divided(a * BigInt(millionths), 1_000_000n, rounding);
        check(() => x.share(millionths / 100, rounding), share, `${what}, ${millionths}`);
        if (a < 0n) continue;
        const quantity = Quantity.of(textOf(a));
        check(() => price.times(quantity, CHF, rounding), divided(a * b, ONE, rounding), what);
      }
      if (a >= 0n) check(() => Quantity.affordable(x, price), divided(a * ONE, b, "down"), what);
      const c = drawUnits(random);
      const whole = random.next() < 0.5 ? b : -b;
      const each = (a * ONE) / whole;
      if (each > -BOUND && each < BOUND)
        check(() => x.inProportion(moneyOf(c), moneyOf(whole)), (each * c) / ONE, `${what}, ${textOf(c)}`);
    }
  });
});
