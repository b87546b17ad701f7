// Random operations on the money types against exact fractions of bigints, which share nothing with decimal.js. PEGBOT_FUZZ runs more of
// them; a difference names seed, operation and operands.

import { expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { InvariantViolation } from "../../../src/domain/invariant.ts";
import { limitFromSignal, sizeFromSignal } from "../../../src/domain/money/door.ts";
import { Money, Price, Quantity, type Rounding } from "../../../src/domain/money/money.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import { fuzz } from "../../support/fuzz.ts";
import { anInstrument } from "../../support/instrument.ts";
import { add, compare, divide, multiply, type Rational, rational, subtract, textOf } from "../../support/rational.ts";
import { drawSignal } from "../../support/signal.ts";

const CHF = "CHF" as Asset;
const VCHF = "VCHF" as Asset;
const REFUSED = "refused";

/** What was done, the result, and what fractions say of it. */
type Opinion = readonly [
  operands: readonly unknown[],
  ours: () => unknown,
  fraction: Rational | string,
  decimals?: number,
  rounding?: Rounding,
];

const chf = (text: string): Money => Money.of(text, CHF);

const OPERATIONS: Readonly<Record<string, (draw: ReturnType<typeof createDraw>) => Opinion>> = {
  "parse and print": ({ any }, a = any()) => [[a], () => chf(a), rational(a)],
  plus: ({ any }, a = any(), b = any()) => [[a, b], () => chf(a).plus(chf(b)), add(rational(a), rational(b))],
  minus: ({ any }, a = any(), b = any()) => [[a, b], () => chf(a).minus(chf(b)), subtract(rational(a), rational(b))],
  negated: ({ any }, a = any()) => [[a], () => chf(a).negated(), subtract(rational("0"), rational(a))],
  compare: ({ any, chance }, a = any(), b = chance() ? a : any()) => {
    const [x, y, sign] = [chf(a), chf(b), compare(rational(a), rational(b))];
    const ours = [x.compare(y), x.equals(y), x.lessThan(y), x.moreThan(y), x.atMost(y), x.atLeast(y), x.min(y) === x];
    return [[a, b], () => ours, String([sign, sign === 0, sign < 0, sign > 0, sign <= 0, sign >= 0, sign <= 0])];
  },
  signs: ({ any }, a = any()) => {
    const [money, sign] = [chf(a), compare(rational(a), rational("0"))];
    const ours = [money.isNegative(), money.isZero(), money.isPositive(), money.size().isNegative()];
    return [[a], () => ours, String([sign < 0, sign === 0, sign > 0, false])];
  },
  "nearest float": ({ any }, a = any()) => [
    [a],
    () => chf(a).toNumber(),
    String(Number(textOf(rational(a), 18, "down"))),
  ],
  "whole steps": ({ steps, decimals }, count = steps(), d = decimals()) => [
    [count, d],
    () => Money.ofSteps(count, d, CHF),
    divide(rational(String(count)), rational(`1${"0".repeat(d)}`)),
  ],
  "quantity plus": ({ notNegative }, a = notNegative(), b = notNegative()) => [
    [a, b],
    () => Quantity.of(a).plus(Quantity.of(b)),
    add(rational(a), rational(b)),
  ],
  "quantity minus": ({ notNegative }, a = notNegative(), b = notNegative()) => {
    const left = subtract(rational(a), rational(b));
    return [[a, b], () => Quantity.of(a).minus(Quantity.of(b)) ?? REFUSED, left.over < 0n ? REFUSED : left];
  },
  "price times quantity": ({ positive, notNegative, rounding }, a = positive(), b = notNegative(), r = rounding()) => [
    [a, b],
    () => Price.of(a).times(Quantity.of(b), CHF, r),
    multiply(rational(a), rational(b)),
    18,
    r,
  ],
  "valued at a price": ({ any, positive, rounding }, a = any(), b = positive(), r = rounding()) => [
    [a, b],
    () => Money.of(a, VCHF).valued(Price.of(b), CHF, r),
    multiply(rational(a), rational(b)),
    18,
    r,
  ],
  "exchanged at a price": ({ any, positive, rounding }, a = any(), b = positive(), r = rounding()) => [
    [a, b],
    () => chf(a).exchanged(Price.of(b), VCHF, r),
    divide(rational(a), rational(b)),
    18,
    r,
  ],
  affordable: ({ notNegative, positive }, a = notNegative(), b = positive()) => [
    [a, b],
    () => Quantity.affordable(chf(a), Price.of(b)),
    divide(rational(a), rational(b)),
  ],
  "implied price": ({ positive, rounding }, a = positive(), b = positive(), r = rounding()) => [
    [a, b],
    () => Price.implied(chf(a), Quantity.of(b), r) ?? "0",
    divide(rational(a), rational(b)),
    18,
    r,
  ],
  "round to a grid": ({ any, decimals, rounding }, a = any(), d = decimals(), r = rounding()) => [
    [a],
    () => chf(a).rounded(d, r),
    rational(a),
    d,
    r,
  ],
  "fit a grid": ({ any, decimals }, a = any(), d = decimals()) => [
    [a, d],
    () => chf(a).fits(d),
    String(textOf(rational(a), d, "down") === textOf(rational(a), 18, "down")),
  ],
  "share in basis points": ({ any, basisPoints, rounding }, a = any(), bp = basisPoints(), r = rounding()) => [
    [a, bp],
    () => chf(a).share(Number(bp), r),
    multiply(rational(a), divide(rational(bp), rational("10000"))),
    18,
    r,
  ],
  "moved by basis points": (
    { positive, basisPoints, rounding },
    a = positive(),
    bp = basisPoints(),
    r = rounding(),
  ) => {
    const moved = multiply(rational(a), divide(add(rational("10000"), rational(bp)), rational("10000")));
    const ours = () => Price.of(a).shifted(Number(bp), r);
    return [[a, bp], ours, textOf(moved, 18, r) === "0" ? REFUSED : moved, 18, r];
  },
  "limit from a signal": ({ chance, decimals, signal }) => {
    const priceDecimals = decimals();
    const [float, side] = [signal(priceDecimals), chance() ? ("buy" as const) : ("sell" as const)];
    const limit = limitFromSignal(float, side, anInstrument({ priceDecimals }));
    const rounding = side === "buy" ? "down" : "up";
    return [
      [float, side],
      () => (limit.ok ? limit.value : "0"),
      rational(float.toPrecision(12)),
      priceDecimals,
      rounding,
    ];
  },
  "size from a signal": ({ decimals, signal }) => {
    const quantityDecimals = decimals();
    const float = signal(quantityDecimals);
    const size = sizeFromSignal(float, anInstrument({ quantityDecimals }));
    return [[float], () => (size.ok ? size.value : "0"), rational(float.toPrecision(12)), quantityDecimals];
  },
};

test("every operation gives what fractions give, to the last digit, or is out of bounds for both", () => {
  const { seed, count } = fuzz("money", 40_000);
  const draw = createDraw(createRandom(seed));
  const names = Object.keys(OPERATIONS);
  let refused = 0;
  for (let done = 0; done < count; done++) {
    const name = names[done % names.length] as string;
    const [operands, work, fraction, decimals = 18, rounding = "down"] = (
      OPERATIONS[name] as (typeof OPERATIONS)[string]
    )(draw);
    const ours = textOrRefused(work);
    const text = typeof fraction === "string" ? fraction : textOf(fraction, decimals, rounding);
    const theirs = typeof fraction === "string" || inBounds(rational(text)) ? text : REFUSED;
    if (ours !== theirs)
      expect.unreachable(
        `seed ${seed}, operation ${done}: ${name} of ${operands} ${decimals} ${rounding} is ${ours}, fractions say ${theirs}`,
      );
    if (ours === REFUSED) refused++;
  }
  // Bounds must be met, and must stay the exception.
  expect(refused).toBeGreaterThan(count / 1_000);
  expect(refused).toBeLessThan(count / 10);
});

function inBounds({ over, under }: Rational): boolean {
  return (over < 0n ? -over : over) < under * 10n ** 18n;
}

/** However an amount came about, it is the object that its text makes: otherwise equal amounts would not look equal. */
function textOrRefused(work: () => unknown): string {
  try {
    const made = work();
    const text = String(made);
    if (made instanceof Money) expect(made).toEqual(Money.of(text, made.asset));
    if (made instanceof Price) expect(made).toEqual(Price.of(text));
    if (made instanceof Quantity) expect(made).toEqual(Quantity.of(text));
    return text;
  } catch (error) {
    if (error instanceof InvariantViolation) return REFUSED;
    throw error;
  }
}

function createDraw(random: Random) {
  const chance = (): boolean => random.next() < 0.5;
  const digits = (count: number): string => {
    let text = "";
    for (let i = 0; i < count; i += 9) text += String(random.integer(0, 999_999_999)).padStart(9, "0");
    return text.slice(0, count);
  };
  const notNegative = (): string => {
    const corner = CORNERS[random.integer(0, 99)];
    if (corner !== undefined) return corner;
    // Mostly sizes of real life; a tenth anywhere in the grammar, so that bounds are met.
    const most = random.next() < 0.1 ? 18 : 8;
    const whole = digits(random.integer(0, most)).replace(/^0+/, "") || "0";
    const fraction = digits(random.integer(0, most));
    return fraction ? `${whole}.${fraction}` : whole;
  };
  const positive = (): string => {
    const text = notNegative();
    return /[1-9]/.test(text) ? text : "1.25";
  };
  return {
    chance,
    steps: (): number => {
      const edge = [0, 1, 10, Number.MAX_SAFE_INTEGER][random.integer(0, 39)];
      const count = edge ?? random.integer(0, chance() ? 2 ** 32 - 1 : 1_000_000);
      return chance() ? -count : count;
    },
    notNegative,
    positive,
    any: (): string => (chance() ? `-${positive()}` : notNegative()),
    signal: (decimals: number): number => drawSignal(random, decimals),
    decimals: (): number => random.integer(0, 18),
    rounding: (): Rounding => (chance() ? "down" : "up"),
    basisPoints: (): string => `${chance() ? "-" : ""}${random.integer(0, 9_999)}.${digits(2)}`,
  };
}

const CORNERS: readonly string[] = [
  ...["0", "0.000000000000000000", "0.000000000000000001", "0.999999999999999999", "1", "1.000000000000000001"],
  ...["999999999999999999", "999999999999999999.999999999999999999", "9007199.254740993", "9007199254740993"],
];
