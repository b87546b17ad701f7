import { expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import { Publication } from "../../src/execution/kept/publication.ts";
import { DEFAULT_SETTINGS, parametersOf } from "../../src/execution/parameters.ts";
import { CHF } from "./life.ts";

const EQUITY = Money.of("20000", CHF);
const measured = { slowestMs: 0, acknowledged: 200, equity: EQUITY };

function windowMs(delays: readonly number[]): number {
  const publication = new Publication();
  for (const delay of delays) publication.saw(delay);
  return parametersOf(DEFAULT_SETTINGS, { ...measured, slowestMs: publication.slowestMs }).windowMs;
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

test("one per cent of equity may be freed without a person, and nothing before 200 orders were acknowledged", () => {
  expect(parametersOf(DEFAULT_SETTINGS, measured).releaseMax).toEqual(Money.of("200", CHF));
  expect(parametersOf(DEFAULT_SETTINGS, { ...measured, acknowledged: 199 }).releaseMax).toBeUndefined();
  expect(parametersOf(DEFAULT_SETTINGS, { ...measured, equity: undefined }).releaseMax).toBeUndefined();
  expect(parametersOf(DEFAULT_SETTINGS, { ...measured, equity: undefined }).awaitsEquity).toBe(true);
  expect(parametersOf(DEFAULT_SETTINGS, { ...measured, equity: undefined, acknowledged: 199 }).awaitsEquity).toBe(false);
});
