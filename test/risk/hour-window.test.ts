// Value traded in the last hour is kept as a running sum: it is what all minutes of the hour add up to, at every time.

import { expect, it } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { createRandom } from "../../src/domain/random.ts";
import { millis } from "../../src/domain/time.ts";
import { HourWindow } from "../../src/risk/counters/recent.ts";

const SEED = 20_261_115;
const CHF = "CHF" as Asset;
const MINUTE_MS = 60_000;
const NOON = Date.UTC(2026, 0, 5, 12);

it(`the value of an hour is the sum of its minutes, however time passes (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  let added: { readonly minute: number; readonly value: Money }[] = [];
  let window = new HourWindow(CHF);
  let now = NOON;
  let [known, nothing] = [0, 0];
  for (let i = 0; i < 4_000; i++) {
    const draw = random.next();
    now += draw < 0.9 ? random.integer(0, 40_000) : draw < 0.98 ? random.integer(0, 20) * MINUTE_MS : 70 * MINUTE_MS;
    if (random.next() < 0.5) {
      const value = Money.ofSteps(random.integer(1, 1e9), random.next() < 0.2 ? 18 : 2, CHF);
      // At times it is told late.
      const at = random.next() < 0.05 ? now - random.integer(1, 3) * MINUTE_MS : now;
      added.push({ minute: Math.floor(at / MINUTE_MS), value });
      window.add(value, millis(at));
    }
    if (random.next() < 0.005) {
      added = [];
      window.clear();
    }
    if (random.next() < 0.02) window = new HourWindow(CHF, window.list());
    // To ask, also for a time that is over, changes nothing.
    if (random.next() < 0.03) window.total(millis(now - random.integer(0, 3) * MINUTE_MS));
    if (random.next() < 0.3) continue;
    const oldest = Math.floor(now / MINUTE_MS) - 60;
    const values = added.filter(({ minute }) => minute >= oldest).map(({ value }) => value);
    expect(String(window.total(millis(now))), `change ${i}`).toBe(String(Money.sum(values, CHF)));
    if (values.length === 0) nothing++;
    else known++;
  }
  expect(Math.min(known, nothing)).toBeGreaterThan(50);
});
