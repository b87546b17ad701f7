// The money types against decimal.js in the same run: medians of interleaved rounds, as ratios. Both sides work on the same
// operands and store every result, and the results are compared at the end, so that no work can be optimised away unseen.

import { Decimal } from "decimal.js";
import type { Asset } from "../src/domain/asset.ts";
import { limitFromSignal, sizeFromSignal } from "../src/domain/money/door.ts";
import { Money, Price, Quantity } from "../src/domain/money/money.ts";
import { createRandom } from "../src/domain/random.ts";
import { anInstrument } from "../test/support/instrument.ts";

const ROUNDS = 15;
const SIZE = 1_024;
const CHF = "CHF" as Asset;
const VCHF = "VCHF" as Asset;
// As it comes: 20 significant digits, its fast setting, although exact products of our amounts need 72.
const Plain = Decimal.clone({ defaults: true });

type Operation = (i: number) => unknown;
type Race = {
  readonly name: string;
  readonly times: number;
  readonly least?: number;
  readonly ours: Operation;
  readonly decimal: Operation;
};

const random = createRandom(1);
const signals = Array.from({ length: SIZE }, () => 0.9 + random.next() * 0.2);
const priceTexts = signals.map((signal) => signal.toFixed(4));
const sizes = Array.from({ length: SIZE }, () => 10 + random.next() * 100_000);
const sizeTexts = sizes.map((size) => size.toFixed(2));
const prices = priceTexts.map((text) => Price.of(text));
const quantities = sizeTexts.map((text) => Quantity.of(text));
const monies = sizeTexts.map((text) => Money.of(text, CHF));
const decimalPrices = priceTexts.map((text) => new Plain(text));
const decimals = sizeTexts.map((text) => new Plain(text));
const pair = anInstrument({ quantityMin: Quantity.of("1") });

/** The operand `i` rounds further on; all arrays have a power of two of them. */
function at<T>(values: readonly T[], i: number): T {
  return values[i & (SIZE - 1)] as T;
}

const RACES: readonly Race[] = [
  {
    name: "add",
    times: 400_000,
    least: 2,
    ours: (i) => at(monies, i).plus(at(monies, i * 7 + 1)),
    decimal: (i) => at(decimals, i).plus(at(decimals, i * 7 + 1)),
  },
  {
    name: "compare",
    times: 400_000,
    least: 1,
    ours: (i) => at(monies, i).lessThan(at(monies, i * 7 + 1)),
    decimal: (i) => at(decimals, i).lt(at(decimals, i * 7 + 1)),
  },
  {
    name: "multiply",
    times: 200_000,
    ours: (i) => at(prices, i).times(at(quantities, i), CHF, "up"),
    decimal: (i) => at(decimalPrices, i).times(at(decimals, i)),
  },
  {
    name: "divide",
    times: 200_000,
    ours: (i) => at(monies, i).exchanged(at(prices, i), VCHF, "down"),
    decimal: (i) => at(decimals, i).div(at(decimalPrices, i)),
  },
  {
    name: "parse",
    times: 200_000,
    ours: (i) => Money.of(at(sizeTexts, i), CHF),
    decimal: (i) => new Plain(at(sizeTexts, i)),
  },
  {
    name: "print",
    times: 200_000,
    ours: (i) => at(monies, i).toString(),
    decimal: (i) => at(decimals, i).toString(),
  },
  {
    name: "round to a grid",
    times: 200_000,
    ours: (i) => at(monies, i).rounded(1, "down"),
    decimal: (i) => at(decimals, i).toDecimalPlaces(1, Decimal.ROUND_FLOOR),
  },
  {
    name: "price, size, value of signals",
    times: 100_000,
    ours: (i) => {
      const limit = limitFromSignal(at(signals, i), "buy", pair);
      const size = sizeFromSignal(at(sizes, i), pair);
      return limit.ok && size.ok ? limit.value.times(size.value, CHF, "down") : undefined;
    },
    decimal: (i) =>
      new Plain(at(signals, i).toPrecision(12))
        .toDecimalPlaces(4, Decimal.ROUND_FLOOR)
        .times(new Plain(at(sizes, i).toPrecision(12)).toDecimalPlaces(2, Decimal.ROUND_FLOOR)),
  },
];

const sink: unknown[] = new Array(SIZE).fill(undefined);

function nanosecondsEach(operation: Operation, times: number): number {
  const begin = performance.now();
  for (let i = 0; i < times; i++) sink[i & (SIZE - 1)] = operation(i);
  return ((performance.now() - begin) / times) * 1e6;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}

function run(race: Race): boolean {
  const ours: number[] = [];
  const decimal: number[] = [];
  for (let round = 0; round < ROUNDS + 3; round++) {
    const [first, second] = round % 2 === 0 ? [race.ours, race.decimal] : [race.decimal, race.ours];
    const [a, b] = [nanosecondsEach(first, race.times), nanosecondsEach(second, race.times)];
    // The first rounds warm up the compiler.
    if (round < 3) continue;
    ours.push(round % 2 === 0 ? a : b);
    decimal.push(round % 2 === 0 ? b : a);
  }
  for (let i = 0; i < SIZE; i++) expectSame(race, i);
  const ratio = median(ours.map((ns, i) => (decimal[i] as number) / ns));
  const missed = race.least !== undefined && ratio < race.least;
  const goal = race.least === undefined ? "" : `  goal ${race.least}x${missed ? " MISSED" : ""}`;
  const row = [race.name.padEnd(32), ns(median(ours)), ns(median(decimal)), `${ratio.toFixed(1)}x`.padStart(8)];
  process.stdout.write(`${row.join(" ")}${goal}\n`);
  return !missed;
}

/** Exactness is the tests' business; here it is enough that both sides did the same work. */
function expectSame(race: Race, i: number): void {
  const [ours, decimal] = [String(race.ours(i)), String(race.decimal(i))];
  if (ours !== decimal && !(Math.abs(Number(ours) / Number(decimal) - 1) < 1e-12))
    throw new Error(`${race.name} ${i}: ${ours} is not ${decimal}`);
}

function ns(value: number): string {
  return `${value.toFixed(0)} ns`.padStart(9);
}

process.stdout.write(`${"".padEnd(32)}      ours decimal.js    ratio\n`);
const results = RACES.map(run);
process.exitCode = results.every(Boolean) ? 0 : 1;
