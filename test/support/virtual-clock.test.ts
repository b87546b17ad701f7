// The clock of backtests and tests: it stands still until it is told.

import { expect, test } from "vitest";
import { millis } from "../../src/domain/time.ts";
import { createVirtualClock } from "./virtual-clock.ts";

test("a virtual clock stands still until time passes, on both readings", () => {
  const clock = createVirtualClock(millis(1_000));
  expect([clock.now(), clock.monotonic()]).toEqual([1_000, 0]);
  clock.advance(250.5);
  clock.advanceTo(millis(2_000));
  expect([clock.now(), clock.monotonic()]).toEqual([2_000, 1_000]);
});

test("a step moves the wall clock alone, back too", () => {
  const clock = createVirtualClock(millis(1_000));
  clock.step(-300);
  expect([clock.now(), clock.monotonic()]).toEqual([700, 0]);
});

test("time does not run backward or to no end", () => {
  const clock = createVirtualClock(millis(1_000));
  for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => clock.advance(ms)).toThrow(`a clock must advance by 0 ms or more, was ${ms}`);
  expect(() => clock.advanceTo(millis(999))).toThrow("was -1");
  expect(() => clock.step(Number.NaN)).toThrow("a clock must step by a finite time");
  expect(() => createVirtualClock(millis(Number.NaN))).toThrow("a clock must start at a finite time");
});
