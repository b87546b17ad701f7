// Waiting after failed reads, and when the venue stops counting as reachable.

import { expect, test } from "vitest";
import { createRandom } from "../../src/domain/random.ts";
import { mono } from "../../src/domain/time.ts";
import { afterFailure, goodHealth, reachability, waitMs } from "../../src/exchange/backoff.ts";
import type { Failure } from "../../src/exchange/port.ts";

const failure = (code: string): Failure => ({ code, status: undefined, venueCode: undefined, message: "" });
const down = failure("venue-down");
const after = (...codes: string[]) =>
  codes.reduce((health, code) => afterFailure(health, failure(code)), goodHealth(mono(0)));

test("INV-22 waits double from 1 s with full jitter and stop at 60 s", () => {
  const random = createRandom(1);
  for (const [failures, most] of [
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [6, 32_000],
    [7, 60_000],
    [500, 60_000],
  ] as const) {
    const waits = Array.from({ length: 2_000 }, () => waitMs(failures, down, random));
    expect(Math.min(...waits)).toBeLessThan(most * 0.05);
    expect(Math.max(...waits)).toBeGreaterThan(most * 0.95);
    expect(Math.max(...waits)).toBeLessThanOrEqual(most);
  }
});

test("ten failures in a row, or three minutes without a good answer, stop new orders", () => {
  expect(reachability(after(...Array<string>(9).fill("timeout")), mono(0))).toBe("good");
  expect(reachability(after(...Array<string>(10).fill("timeout")), mono(0))).toBe("reduced");
  expect(reachability(after("timeout"), mono(179_999))).toBe("good");
  expect(reachability(after("timeout"), mono(180_000))).toBe("reduced");
});

test("N22 fifteen minutes without a good answer halt, and one good answer begins anew", () => {
  expect(reachability(after("timeout"), mono(900_000))).toBe("halted");
  expect(reachability(goodHealth(mono(900_000)), mono(900_001))).toBe("good");
});

test("what we refused ourselves says nothing about the venue", () => {
  expect(after("refused", "late", "no-nonce", "invalid")).toEqual(goodHealth(mono(0)));
});
