import { describe, expect, test } from "vitest";
import { mono } from "../../../src/domain/time.ts";
import {
  doubtsOnly,
  freshPacing,
  type Pacing,
  paceAfter,
  pacingDefaults,
  type SlotEnd,
  spacingMs,
} from "../../../src/exchange/budget/pacing.ts";

const answered: SlotEnd = { kind: "answered", rateLimited: false };
const limited: SlotEnd = { kind: "answered", rateLimited: true };
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
});

describe("H23: Retry-After", () => {
  const asking = (ms: number): SlotEnd => ({
    kind: "answered",
    rateLimited: false,
    retryAfter: { ms, status: 503, call: "accountBalance" },
  });
  const hour = asking(3_600_000);

  test.each([
    [60_000, 60_000],
    [60_001, 60_000],
    [500, 1_000],
    [0, 1_000],
    [Number.POSITIVE_INFINITY, 1_000],
  ])("of %d ms waits %d ms", (asked, waited) => {
    expect(ended(fresh, asking(asked), 0).openAt).toBe(waited);
  });

  test("of more than a rate-limit answer is a pause, with the answer that did it, until another answer", () => {
    expect(ended(fresh, asking(5_000), 0).pause).toBeUndefined();
    const paused = ended(fresh, hour, 500);
    expect(paused.pause).toEqual({ until: 60_500, ms: 3_600_000, status: 503, call: "accountBalance" });
    expect(ended(paused, { kind: "abandoned" }, 61_000).pause).toEqual(paused.pause);
    expect(ended(paused, answered, 61_000).pause).toBeUndefined();
  });

  test("of more than a minute is kept, up to ten minutes, only if the answer after that minute asks for it again", () => {
    const once = ended(fresh, hour, 0);
    expect(ended(once, answered, 60_100).openAt).toBe(61_100);
    expect(ended(once, asking(90_000), 60_100).openAt).toBe(150_100);
    const twice = ended(once, hour, 60_100);
    expect(twice.openAt).toBe(660_100);
    expect(ended(twice, hour, 660_200).openAt).toBe(1_260_200);
    // An answer without one in between, or a short one: the next long one is alone again.
    expect(ended(ended(once, answered, 60_100), hour, 61_200).openAt).toBe(121_200);
    expect(ended(ended(once, asking(30_000), 60_100), hour, 90_200).openAt).toBe(150_200);
  });

  test("is asked for again by what was given up without an answer in between", () => {
    expect(ended(ended(ended(fresh, hour, 0), { kind: "abandoned" }, 60_100), hour, 62_200).openAt).toBe(662_200);
  });

  test("neither agrees with a pause nor ends it where it answers what was sent before", () => {
    const paused = ended(fresh, hour, 0);
    expect(ended(paused, hour, 2_000).openAt).toBe(62_000);
    expect(ended(paused, limited, 2_000).pause).toEqual(paused.pause);
    expect(ended(paused, asking(10_000), 2_000).pause).toEqual(paused.pause);
  });
});
