import { describe, expect, test } from "vitest";
import { mono } from "../../../src/domain/time.ts";
import {
  doubtsOnly,
  freshPacing,
  type Pacing,
  paceAfter,
  pacingDefaults,
  rebasePacing,
  type SlotEnd,
  spacingMs,
} from "../../../src/exchange/budget/pacing.ts";

const answered: SlotEnd = { kind: "answered", rateLimited: false, retryAfterMs: undefined };
const limited: SlotEnd = { kind: "answered", rateLimited: true, retryAfterMs: undefined };
const fresh = freshPacing(mono(0));

function ended(pacing: Pacing, end: SlotEnd, at: number) {
  return paceAfter(pacing, end, mono(at), pacingDefaults);
}

describe("the next request leaves", () => {
  test("1,000 ms after the previous answer", () => {
    expect(ended(fresh, answered, 300).openAt).toBe(1_300);
  });

  test("2,000 ms after a request that was given up", () => {
    expect(ended(fresh, { kind: "abandoned" }, 300).openAt).toBe(2_300);
  });

  test("at once when the slot was not spent", () => {
    expect(ended(fresh, { kind: "unspent" }, 300)).toEqual(fresh);
  });

  test("never earlier than an end before it allowed", () => {
    const wide = ended(fresh, limited, 0);
    expect(ended(wide, { kind: "abandoned" }, 100).openAt).toBe(5_000);
  });
});

describe("H20: after one rate-limit answer", () => {
  const once = ended(fresh, limited, 1_000);

  test("nothing is sent for 5 s", () => {
    expect(once.openAt).toBe(6_000);
  });

  test("spacing is doubled for 10 minutes, then recovers within a minute", () => {
    expect(ended(once, answered, 10_000).openAt).toBe(12_000);
    expect(spacingMs(once, mono(601_000), pacingDefaults)).toBe(2_000);
    expect(spacingMs(once, mono(631_000), pacingDefaults)).toBe(1_500);
    expect(spacingMs(once, mono(661_000), pacingDefaults)).toBe(1_000);
    expect(spacingMs(once, mono(9_000_000), pacingDefaults)).toBe(1_000);
  });

  test("a second one begins the 10 minutes again", () => {
    const twice = ended(once, limited, 500_000);
    expect(spacingMs(twice, mono(1_099_000), pacingDefaults)).toBe(2_000);
  });
});

describe("H21: five rate-limit answers in a minute", () => {
  const storm = [0, 10_000, 20_000, 30_000, 40_000].reduce((pacing, at) => ended(pacing, limited, at), fresh);

  test("stop all sending for 5 minutes", () => {
    expect(storm.openAt).toBe(340_000);
  });

  test("leave the key to doubt resolution, at half rate, until 5 more minutes were calm", () => {
    expect(doubtsOnly(storm, mono(340_000))).toBe(true);
    expect(ended(storm, answered, 340_000).openAt).toBe(342_000);
    expect(doubtsOnly(storm, mono(639_999))).toBe(true);
    expect(doubtsOnly(storm, mono(640_000))).toBe(false);
  });

  test("are counted once, and are at half rate until it is calm however soon the spacing would fall back", () => {
    expect(storm.limitedAt).toEqual([40_000]);
    expect(spacingMs(storm, mono(639_999), { ...pacingDefaults, widenedMs: 1_000, recoveryMs: 1_000 })).toBe(2_000);
  });

  test("are not calm while another one comes", () => {
    const again = ended(storm, limited, 600_000);
    // 600 s + 5 s pause + 300 s calm
    expect(doubtsOnly(again, mono(904_999))).toBe(true);
    expect(doubtsOnly(again, mono(905_000))).toBe(false);
  });

  test("are no storm when they take longer than a minute", () => {
    const slow = [0, 20_000, 40_000, 60_000, 80_000].reduce((pacing, at) => ended(pacing, limited, at), fresh);
    expect(slow.openAt).toBe(85_000);
    expect(doubtsOnly(slow, mono(85_000))).toBe(false);
  });

  test("keep no more than five moments, however many come", () => {
    let pacing = fresh;
    for (let at = 0; at < 100_000_000; at += 100_000) pacing = ended(pacing, limited, at);
    expect(pacing.limitedAt.length).toBe(5);
  });
});

describe("H23: Retry-After", () => {
  const asking = (retryAfterMs: number): SlotEnd => ({ kind: "answered", rateLimited: false, retryAfterMs });

  test.each([
    [3_000, 3_000],
    [600_000, 600_000],
    [3_600_000, 600_000],
    [500, 1_000],
    [0, 1_000],
    [-5_000, 1_000],
    [Number.NaN, 1_000],
    [Number.POSITIVE_INFINITY, 1_000],
    [31_536_000_000, 1_000],
  ])("of %d ms waits %d ms", (asked, waited) => {
    expect(ended(fresh, asking(asked), 0).openAt).toBe(waited);
  });
});

test("after a reboot every wait goes on as if no time had passed", () => {
  const before = ended(fresh, limited, 1_000);
  const moved = rebasePacing(before, mono(2_000), mono(50));
  expect(moved.openAt).toBe(4_050);
  expect([moved.limitedAt, moved.calmAt]).toEqual([[-950], undefined]);
  // A storm is as far from calm as it was.
  expect(rebasePacing({ ...before, calmAt: mono(9_000) }, mono(2_000), mono(50)).calmAt).toBe(7_050);
});
