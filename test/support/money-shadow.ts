// Random operations on the money types, each held against decimal.js at precision 80 and against exact fractions. The
// suite runs a few hundred thousand, `npm run campaign money` ten million; a difference names the seed, the operation and the operands.

import { isDeepStrictEqual } from "node:util";
import { Decimal } from "decimal.js";
import type { Asset } from "../../src/domain/asset.ts";
import { InvariantViolation } from "../../src/domain/invariant.ts";
import { limitFromSignal, sizeFromSignal } from "../../src/domain/money/door.ts";
import { Money, Price, Quantity, type Rounding } from "../../src/domain/money/money.ts";
import { createRandom, type Random } from "../../src/domain/random.ts";
import { anInstrument } from "./instrument.ts";
import { add, compare, divide, multiply, type Rational, rational, subtract, textOf } from "./rational.ts";
import { drawSignal } from "./signal.ts";

const Shadow = Decimal.clone({ precision: 80, toExpNeg: -90, toExpPos: 90, defaults: true });
const CHF = "CHF" as Asset;
const VCHF = "VCHF" as Asset;
const REFUSED = "refused";

export type ShadowFigures = {
  readonly operations: number;
  readonly refused: number;
  readonly byName: Map<string, number>;
};

/** What the three arithmetics say about one drawn operation. */
type Opinion = {
  readonly operands: string;
  readonly ours: string;
  readonly decimal: string;
  readonly fraction: string;
};
type Operation = (draw: Draw) => Opinion;

export function compareWithShadows(seed: number, operations: number, progress?: (done: number) => void): ShadowFigures {
  const draw = createDraw(createRandom(seed));
  const names = Object.keys(OPERATIONS);
  const byName = new Map<string, number>(names.map((name) => [name, 0]));
  let refused = 0;
  for (let done = 0; done < operations; done++) {
    const name = names[done % names.length] as string;
    const { operands, ours, decimal, fraction } = (OPERATIONS[name] as Operation)(draw);
    if (ours !== decimal || ours !== fraction)
      throw new Error(
        `seed ${seed}, operation ${done}: ${name} of ${operands} is ${ours}, decimal.js says ${decimal}, fractions say ${fraction}`,
      );
    if (ours === REFUSED) refused++;
    byName.set(name, (byName.get(name) as number) + 1);
    if (progress && (done + 1) % 500_000 === 0) progress(done + 1);
  }
  return { operations, refused, byName };
}

const OPERATIONS: Record<string, Operation> = {
  "parse and print": ({ any }) => {
    const a = any();
    return three(a, () => Money.of(a, CHF), new Shadow(a), rational(a));
  },
  "money plus": ({ any }) => {
    const [a, b] = [any(), any()];
    const ours = () => Money.of(a, CHF).plus(Money.of(b, CHF));
    return three(`${a} ${b}`, ours, new Shadow(a).plus(b), add(rational(a), rational(b)));
  },
  "money minus": ({ any }) => {
    const [a, b] = [any(), any()];
    const ours = () => Money.of(a, CHF).minus(Money.of(b, CHF));
    return three(`${a} ${b}`, ours, new Shadow(a).minus(b), subtract(rational(a), rational(b)));
  },
  "money sum": ({ any }) => {
    const [a, b, c] = [any(), any(), any()];
    const ours = () =>
      Money.sum(
        [a, b, c].map((text) => Money.of(text, CHF)),
        CHF,
      );
    // Half way out of bounds is out of bounds, whatever the last summand.
    const half = add(rational(a), rational(b));
    const fraction = inBounds(half) ? add(half, rational(c)) : half;
    return three(
      `${a} ${b} ${c}`,
      ours,
      inBounds(half) ? new Shadow(a).plus(b).plus(c) : new Shadow(a).plus(b),
      fraction,
    );
  },
  compare: ({ any, chance }) => {
    const a = any();
    const b = chance() ? a : any();
    const [x, y] = [Money.of(a, CHF), Money.of(b, CHF)];
    const sign = new Shadow(a).cmp(b);
    const flags = (c: number): string =>
      [c, c === 0, c < 0, c > 0, c <= 0, c >= 0, c <= 0 ? a : b, c >= 0 ? a : b].join();
    const ours = [x.compare(y), x.equals(y), x.lessThan(y), x.moreThan(y), x.atMost(y), x.atLeast(y)];
    const picked = [x.min(y) === x ? a : b, x.max(y) === x ? a : b];
    return {
      operands: `${a} ${b}`,
      ours: [...ours, ...picked].join(),
      decimal: flags(sign),
      fraction: flags(compare(rational(a), rational(b))),
    };
  },
  "signs and the opposite": ({ any }) => {
    const a = any();
    const money = Money.of(a, CHF);
    const signs = [money.isNegative(), money.isZero(), money.isPositive(), money.size().isNegative()].join();
    const opinion = three(a, () => money.negated(), new Shadow(a).negated(), subtract(rational("0"), rational(a)));
    const sign = new Shadow(a).cmp(0);
    return {
      ...opinion,
      ours: `${opinion.ours} ${signs}`,
      decimal: `${opinion.decimal} ${[sign < 0, sign === 0, sign > 0, false].join()}`,
      fraction: `${opinion.fraction} ${[sign < 0, sign === 0, sign > 0, false].join()}`,
    };
  },
  "whole steps of a grid": ({ steps, decimals }) => {
    const [count, d] = [steps(), decimals()];
    const over = `1${"0".repeat(d)}`;
    const fraction = divide(rational(String(count)), rational(over));
    return three(`${count} ${d}`, () => Money.ofSteps(count, d, CHF), new Shadow(count).div(over), fraction);
  },
  "quantity minus": ({ notNegative }) => {
    const [a, b] = [notNegative(), notNegative()];
    const ours = (): Quantity => Quantity.of(a).minus(Quantity.of(b)) ?? refuse();
    const fraction = subtract(rational(a), rational(b));
    return fraction.over < 0n
      ? {
          operands: `${a} ${b}`,
          ours: textOrRefused(ours),
          decimal: new Shadow(a).lt(b) ? REFUSED : "?",
          fraction: REFUSED,
        }
      : three(`${a} ${b}`, ours, new Shadow(a).minus(b), fraction);
  },
  "quantity plus": ({ notNegative }) => {
    const [a, b] = [notNegative(), notNegative()];
    const ours = () => Quantity.of(a).plus(Quantity.of(b));
    return three(`${a} ${b}`, ours, new Shadow(a).plus(b), add(rational(a), rational(b)));
  },
  "price times quantity": ({ positive, notNegative, rounding }) => {
    const [a, b, r] = [positive(), notNegative(), rounding()];
    const ours = () => Price.of(a).times(Quantity.of(b), CHF, r);
    return three(`${a} ${b} ${r}`, ours, new Shadow(a).times(b), multiply(rational(a), rational(b)), 18, r);
  },
  "money valued at a price": ({ any, positive, rounding }) => {
    const [a, b, r] = [any(), positive(), rounding()];
    const ours = () => Money.of(a, VCHF).valued(Price.of(b), CHF, r);
    return three(`${a} ${b} ${r}`, ours, new Shadow(a).times(b), multiply(rational(a), rational(b)), 18, r);
  },
  "money exchanged at a price": ({ any, positive, rounding }) => {
    const [a, b, r] = [any(), positive(), rounding()];
    const ours = () => Money.of(a, CHF).exchanged(Price.of(b), VCHF, r);
    return three(`${a} ${b} ${r}`, ours, new Shadow(a).div(b), divide(rational(a), rational(b)), 18, r);
  },
  "affordable quantity": ({ notNegative, positive }) => {
    const [a, b] = [notNegative(), positive()];
    const ours = () => Quantity.affordable(Money.of(a, CHF), Price.of(b));
    return three(`${a} ${b}`, ours, new Shadow(a).div(b), divide(rational(a), rational(b)), 18, "down");
  },
  "implied price": ({ positive, rounding }) => {
    const [a, b, r] = [positive(), positive(), rounding()];
    const ours = () => Price.implied(Money.of(a, CHF), Quantity.of(b), r) ?? "0";
    return three(`${a} ${b} ${r}`, ours, new Shadow(a).div(b), divide(rational(a), rational(b)), 18, r);
  },
  "round to a grid": ({ any, decimals, rounding }) => {
    const [a, d, r] = [any(), decimals(), rounding()];
    return three(`${a} ${d} ${r}`, () => Money.of(a, CHF).rounded(d, r), new Shadow(a), rational(a), d, r);
  },
  "fit a grid": ({ any, decimals }) => {
    const [a, d] = [any(), decimals()];
    return {
      operands: `${a} ${d}`,
      ours: String(Money.of(a, CHF).fits(d)),
      decimal: String(new Shadow(a).decimalPlaces() <= d),
      fraction: String(textOf(rational(a), d, "down") === textOf(rational(a), 18, "down")),
    };
  },
  "share in basis points": ({ any, basisPoints, rounding }) => {
    const [a, bp, r] = [any(), basisPoints(), rounding()];
    const ours = () => Money.of(a, CHF).share(Number(bp), r);
    const fraction = multiply(rational(a), divide(rational(bp), rational("10000")));
    return three(`${a} ${bp} ${r}`, ours, new Shadow(a).times(bp).div(10_000), fraction, 18, r);
  },
  "price moved by basis points": ({ positive, basisPoints, rounding }) => {
    const [a, bp, r] = [positive(), basisPoints(), rounding()];
    const moved = multiply(rational(a), divide(add(rational("10000"), rational(bp)), rational("10000")));
    const nothing = textOf(moved, 18, r) === "0";
    const ours = () => Price.of(a).shifted(Number(bp), r);
    const decimal = new Shadow(a).times(new Shadow(10_000).plus(bp)).div(10_000);
    return nothing
      ? {
          operands: `${a} ${bp} ${r}`,
          ours: textOrRefused(ours),
          decimal: decimal.lt("1e-18") ? REFUSED : "?",
          fraction: REFUSED,
        }
      : three(`${a} ${bp} ${r}`, ours, decimal, moved, 18, r);
  },
  "limit from a signal": ({ chance, decimals, signal }) => {
    const priceDecimals = decimals();
    const [float, side] = [signal(priceDecimals), chance() ? ("buy" as const) : ("sell" as const)];
    const limit = limitFromSignal(float, side, anInstrument({ priceDecimals }));
    const ours = () => (limit.ok ? limit.value : "0");
    const text = float.toPrecision(12);
    const rounding = side === "buy" ? "down" : "up";
    return three(`${float} ${priceDecimals} ${side}`, ours, new Shadow(text), rational(text), priceDecimals, rounding);
  },
  "size from a signal": ({ decimals, signal }) => {
    const quantityDecimals = decimals();
    const float = signal(quantityDecimals);
    const size = sizeFromSignal(float, anInstrument({ quantityDecimals }));
    const ours = () => (size.ok ? size.value : "0");
    const text = float.toPrecision(12);
    return three(`${float} ${quantityDecimals}`, ours, new Shadow(text), rational(text), quantityDecimals, "down");
  },
  "nearest float": ({ any }) => {
    const a = any();
    const decimal = new Shadow(a).toNumber();
    return {
      operands: a,
      ours: String(Money.of(a, CHF).toNumber()),
      decimal: String(decimal === 0 ? 0 : decimal),
      fraction: String(Number(textOf(rational(a), 18, "down"))),
    };
  },
};

/** Ours, and what the two others would print for it; beyond 18 integer digits all three must refuse. */
function three(
  operands: string,
  ours: () => { toString(): string },
  decimal: Decimal,
  fraction: Rational,
  decimals = 18,
  rounding: Rounding = "down",
): Opinion {
  const onGrid = decimal.toDecimalPlaces(decimals, rounding === "down" ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL);
  const text = textOf(fraction, decimals, rounding);
  return {
    operands,
    ours: textOrRefused(ours),
    decimal: onGrid.abs().gte("1e18") ? REFUSED : onGrid.isZero() ? "0" : onGrid.toFixed(),
    fraction: inBounds(rational(text)) ? text : REFUSED,
  };
}

function inBounds(value: Rational): boolean {
  const size = value.over < 0n ? -value.over : value.over;
  return size < value.under * 10n ** 18n;
}

function textOrRefused(ours: () => { toString(): string }): string {
  try {
    const amount = ours();
    const text = amount.toString();
    return isDeepStrictEqual(amount, madeAnew(amount, text)) ? text : `${text}, not made as text is`;
  } catch (error) {
    if (error instanceof InvariantViolation) return REFUSED;
    throw error;
  }
}

/** However an amount came about, it is the object that its text makes: otherwise equal amounts would not look equal. */
function madeAnew(amount: unknown, text: string): unknown {
  if (amount instanceof Money) return Money.of(text, amount.asset);
  if (amount instanceof Price) return Price.of(text);
  return amount instanceof Quantity ? Quantity.of(text) : amount;
}

function refuse(): never {
  throw new InvariantViolation(REFUSED);
}

type Draw = ReturnType<typeof createDraw>;

function createDraw(random: Random) {
  const chance = (): boolean => random.next() < 0.5;
  const digits = (count: number): string => {
    let text = "";
    for (let i = 0; i < count; i += 9) text += String(random.integer(0, 999_999_999)).padStart(9, "0");
    return text.slice(0, count);
  };
  const notNegative = (): string => {
    const corner = CORNERS[random.integer(0, 199)];
    if (corner !== undefined) return corner;
    // Mostly sizes of real life; a tenth anywhere in the grammar, so that bounds are met.
    const wild = random.next() < 0.1;
    const whole = digits(random.integer(0, wild ? 18 : 8)).replace(/^0+/, "") || "0";
    const fraction = digits(random.integer(0, wild ? 18 : 8));
    return fraction ? `${whole}.${fraction}` : whole;
  };
  const positive = (): string => {
    const text = notNegative();
    return /[1-9]/.test(text) ? text : "1.25";
  };
  return {
    chance,
    steps: (): number => {
      const edge = [0, 1, 10, 9e15, 9e15 + 1, Number.MAX_SAFE_INTEGER, 1e15, 1e15 - 1][random.integer(0, 39)];
      const any = random.integer(0, 2 ** 21 - 1) * 2 ** 32 + random.integer(0, 2 ** 32 - 1);
      const count = edge ?? (chance() ? any : any % 1_000_000);
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
  "0",
  "0.000000000000000000",
  "0.000000000000000001",
  "0.999999999999999999",
  "1",
  "1.000000000000000001",
  "999999999999999999",
  "999999999999999999.999999999999999999",
  "9007199.254740993",
  "9007199254740993",
  // Around 2^53 millionths, where amounts become large, and the largest that a float names by its digits.
  "9007199254.740991",
  "9007199254.740993",
  "9000000000",
  "9000000000.000000000000000001",
  "9000000000.000000999999999999",
  "9000000000.000001",
  "8999999999.999999999999999999",
  "4500000000.0000005",
  "999999999.999999",
  "1000000000",
  "1000000000.000001",
  // Around a millionth, and around the six digits of a group.
  "0.000001",
  "0.000000999999999999",
  "0.000001000000000001",
  "0.999999",
  "999999.999999999999",
  "1000000.000001000001",
];
