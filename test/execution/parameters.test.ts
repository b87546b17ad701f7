import { expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import { DEFAULT_SETTINGS, type Measured, parametersOf } from "../../src/execution/parameters.ts";
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

test("released without a person is up to one per cent of equity and one order's limit, which must be in its currency", () => {
  const release = (values: Partial<Parameters<typeof parametersOf>[2]>) =>
    parametersOf(DEFAULT_SETTINGS, measured, { ...VALUES, ...values }).release;
  expect(release({})).toEqual({ kind: "up-to", value: Money.of("200", CHF) });
  expect(release({ orderMax: Money.of("150", CHF) })).toEqual({ kind: "up-to", value: Money.of("150", CHF) });
  expect(release({ orderMax: Money.of("250", CHF) })).toEqual({ kind: "up-to", value: Money.of("200", CHF) });
  expect(release({ orderMax: Money.of("150", "EUR" as Asset) })).toEqual({
    kind: "up-to",
    value: Money.of("200", CHF),
  });
  expect(release({ equity: undefined })).toEqual({ kind: "awaits-equity" });
});

test("a person is asked without a shown fill, after three releases of a day before 200 orders, and after a late fill", () => {
  const release = (change: Partial<Measured>): string =>
    parametersOf(DEFAULT_SETTINGS, { ...measured, ...change }, VALUES).release.kind;
  expect(release({})).toBe("up-to");
  expect(release({ hasShownFill: false })).toBe("person");
  expect([release({ releasedToday: 2 }), release({ releasedToday: 3 })]).toEqual(["up-to", "person"]);
  expect([release({ releasedToday: 9, acknowledged: 199 }), release({ releasedToday: 9, acknowledged: 200 })]).toEqual([
    "person",
    "up-to",
  ]);
  expect(release({ hasLateFill: true, acknowledged: 200 })).toBe("person");
});
