import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { millis, mono } from "../../../src/domain/time.ts";
import { estimateVenueTime, nextNonce, withVenueOffset } from "../../../src/exchange/budget/nonce.ts";
import type { Nonce } from "../../../src/exchange/port.ts";
import { noon } from "./virtual-machine.ts";

const hour = 3_600_000;
const at = (offset: number) => millis(noon + offset);
const nonce = (offset: number) => (noon + offset) as Nonce;

describe("a nonce", () => {
  test("is the wall clock's milliseconds", () => {
    expect(nextNonce(at(5), nonce(0), at(0))).toEqual({ ok: true, value: nonce(5) });
  });

  test("follows the venue's clock where the wall clock is more than 2 s from it, on either side", () => {
    for (const off of [20_000, -20_000])
      expect(nextNonce(at(off), nonce(-40_000), at(0))).toEqual({ ok: true, value: nonce(0) });
    for (const off of [2_000, -2_000])
      expect(nextNonce(at(off), nonce(-40_000), at(0))).toEqual({ ok: true, value: nonce(off) });
  });

  test("C05: is refused before a Date of the venue was seen", () => {
    expect(nextNonce(at(0), undefined, undefined)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^venue-time-unknown/),
    });
  });

  test("INV-10: is refused rather than more than 2 s ahead of the venue", () => {
    expect(nextNonce(at(0), nonce(1_999), at(0))).toEqual({ ok: true, value: nonce(2_000) });
    expect(nextNonce(at(0), nonce(2_000), at(0))).toEqual({
      ok: false,
      error: expect.stringContaining(
        "nonce-ahead: next nonce is 2001 ms ahead of the venue's clock, limit is 2000 ms: a clock, ",
      ),
    });
    const ahead = nextNonce(at(0), nonce(3_752_568), at(0));
    expect(ahead.ok || ahead.error).toContain(
      "3752569 ms ahead of the venue's clock, limit is 2000 ms: a clock, of this machine or of the venue, was ahead",
    );
    expect(ahead.ok || ahead.error).toContain("can be asked or sent for 1:02:30, then it goes on by itself");
  });

  test.prop([
    fc.array(fc.record({ wall: fc.integer({ min: -1e11, max: 1e11 }), passes: fc.integer({ min: 0, max: 3_000 }) })),
  ])("rises strictly and stays within the margin, whatever the wall clock shows", (steps) => {
    let last: Nonce | undefined;
    let venue = 0;
    for (const { wall, passes } of steps) {
      venue += passes;
      const next = nextNonce(at(wall), last, at(venue));
      if (!next.ok) continue;
      expect(next.value).toBeGreaterThan(last ?? Number.NEGATIVE_INFINITY);
      expect(next.value).toBeLessThanOrEqual(noon + venue + 2_000);
      last = next.value;
    }
  });
});

describe("the venue's clock", () => {
  test("is the best of the latest Dates, each cut to the second and late", () => {
    let offsets = withVenueOffset([], at(0), mono(900));
    offsets = withVenueOffset(offsets, at(2_000), mono(2_100));
    expect(estimateVenueTime(offsets, mono(5_000))).toBe(at(4_900));
  });

  test("one Date that is low changes nothing", () => {
    const offsets = withVenueOffset(withVenueOffset([], at(0), mono(0)), at(-hour), mono(1_000));
    expect(estimateVenueTime(offsets, mono(2_000))).toBe(at(2_000));
  });

  test("one Date that is high is forgotten after eight others", () => {
    let offsets = withVenueOffset([], at(24 * hour), mono(0));
    for (let i = 1; i <= 8; i++) offsets = withVenueOffset(offsets, at(i * 1_000), mono(i * 1_000));
    expect(estimateVenueTime(offsets, mono(9_000))).toBe(at(9_000));
    expect(offsets.length).toBe(8);
  });

  test("is unknown before the first Date", () => {
    expect(estimateVenueTime([], mono(0))).toBeUndefined();
  });
});
