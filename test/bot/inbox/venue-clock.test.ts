import { describe, expect, it } from "vitest";
import { createVenueClock } from "../../../src/bot/inbox/venue-clock.ts";
import { millis } from "../../../src/domain/time.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const NOON = Date.UTC(2026, 0, 5, 12);

describe("the clock that events are stamped with", () => {
  it("is our own until the venue was heard, and while ours is behind", () => {
    const ours = createVirtualClock(millis(NOON));
    const clock = createVenueClock(ours);
    expect(clock.now()).toBe(NOON);
    clock.heard(undefined);
    expect(clock.now()).toBe(NOON);
    clock.heard(millis(NOON + 60_000));
    ours.advance(500);
    expect(clock.now()).toBe(NOON + 500);
  });

  it("is, until the venue was heard, as late as others of the key have heard it to be", () => {
    const ours = createVirtualClock(millis(NOON + 70_000));
    const clock = createVenueClock(ours, 70_000);
    ours.advance(500);
    expect(clock.now()).toBe(NOON + 500);
    clock.heard(undefined);
    expect(clock.now()).toBe(NOON + 500);
    // Our clock was set right meanwhile: what is heard counts alone.
    clock.heard(millis(NOON + 200_000));
    expect(clock.now()).toBe(NOON + 70_500);
  });

  it("never says later than the venue did, however far ahead our clock is set", () => {
    const ours = createVirtualClock(millis(NOON + 3_600_000));
    const clock = createVenueClock(ours);
    clock.heard(millis(NOON));
    expect(clock.now()).toBe(NOON);
    ours.advance(750);
    expect(clock.now()).toBe(NOON + 750);
    ours.step(86_400_000);
    expect(clock.now()).toBe(NOON + 750);
  });

  it("comes as near to the venue's clock as the best of the last answers shows", () => {
    const ours = createVirtualClock(millis(NOON + 3_600_000));
    const clock = createVenueClock(ours);
    // The venue is at 12:00:00.900, and its Date is cut to the second.
    clock.heard(millis(NOON));
    ours.advance(100);
    clock.heard(millis(NOON + 1_000));
    expect(clock.now()).toBe(NOON + 1_000);
    ours.advance(950);
    clock.heard(millis(NOON + 1_000));
    expect(clock.now()).toBe(NOON + 1_950);
  });
});
