import { expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import { DEFAULT_SETTINGS, parametersOf } from "../../src/execution/parameters.ts";
import { RequestStore } from "../../src/execution/request-store.ts";
import { CHF, CONDITIONS } from "./life.ts";

const { measured } = CONDITIONS;
const VALUES = { equity: Money.of("20000", CHF), orderMax: undefined };

function windowMs(delays: readonly number[]): number {
  const store = new RequestStore();
  for (const delay of delays) store.acknowledged(delay);
  const { slowestMs } = store.measured(millis(0));
  return parametersOf(DEFAULT_SETTINGS, { ...measured, slowestMs }, VALUES).windowMs;
}

test("the window is 120 s, or ten times the slowest publication that was seen", () => {
  expect(windowMs([])).toBe(120_000);
  expect(windowMs([900, 12_000, 3_000])).toBe(120_000);
  expect(windowMs([900, 12_001, 3_000])).toBe(120_010);
  // The wall clock was set back in between: nothing was measured.
  expect(windowMs([-86_400_000])).toBe(120_000);
});

test("a publication delay is remembered for a thousand fills", () => {
  const quick = (count: number): readonly number[] => Array.from({ length: count }, () => 1_000);
  expect(windowMs([60_000, ...quick(999)])).toBe(600_000);
  expect(windowMs([60_000, ...quick(1_000)])).toBe(120_000);
  expect(windowMs([60_000, 20_000, ...quick(999)])).toBe(200_000);
});
