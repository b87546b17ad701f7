import { expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import { DEFAULT_SETTINGS, rememberDelay, termsOf } from "../../src/execution/terms.ts";
import { CHF } from "./life.ts";

const EQUITY = Money.of("20000", CHF);
const measured = { publicationDelaysMs: [], acknowledged: 200, equity: EQUITY };

test("the window is 120 s, or ten times the slowest publication that was seen", () => {
  const windowMs = (delays: readonly number[]) =>
    termsOf(DEFAULT_SETTINGS, { ...measured, publicationDelaysMs: delays }).windowMs;
  expect(windowMs([])).toBe(120_000);
  expect(windowMs([900, 12_000, 3_000])).toBe(120_000);
  expect(windowMs([900, 12_001, 3_000])).toBe(120_010);
});

test("a publication delay is remembered for a thousand fills", () => {
  let delays: readonly number[] = [60_000];
  for (let fill = 0; fill < 999; fill++) delays = rememberDelay(delays, 1_000);
  expect(termsOf(DEFAULT_SETTINGS, { ...measured, publicationDelaysMs: delays }).windowMs).toBe(600_000);
  delays = rememberDelay(delays, 1_000);
  expect(delays.length).toBe(1_000);
  expect(termsOf(DEFAULT_SETTINGS, { ...measured, publicationDelaysMs: delays }).windowMs).toBe(120_000);
});

test("one per cent of equity may be freed without a person, and nothing before 200 orders were acknowledged", () => {
  expect(termsOf(DEFAULT_SETTINGS, measured).releaseMax).toEqual(Money.of("200", CHF));
  expect(termsOf(DEFAULT_SETTINGS, { ...measured, acknowledged: 199 }).releaseMax).toBeUndefined();
  expect(termsOf(DEFAULT_SETTINGS, { ...measured, equity: undefined }).releaseMax).toBeUndefined();
});
