// What each slot was spent on is told, and nothing else changes.

import { expect, test } from "vitest";
import { err, ok } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import type { Budget, Slot } from "../../../src/exchange/budget/budget.ts";
import type { SlotEnd } from "../../../src/exchange/budget/pacing.ts";
import { type SpentSlot, watchedBudget } from "../../../src/exchange/budget/watched-budget.ts";
import type { Nonce } from "../../../src/exchange/port.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const T0 = millis(Date.UTC(2026, 10, 15, 8));

function stage() {
  const clock = createVirtualClock(T0);
  const ends: SlotEnd[] = [];
  const told: SpentSlot[] = [];
  const slot: Slot = { nonce: () => ok(7 as Nonce), held: () => true, end: (end) => void ends.push(end) };
  const budget: Budget = {
    async take({ class: ofClass }) {
      clock.advance(250);
      return ofClass === "other" ? err("closed") : ok(slot);
    },
    async share(want, send) {
      clock.advance(100);
      want.begins?.({ class: want.class, worth: 3, over: { class: "balance", worth: 2 } });
      return ok(await send(slot));
    },
    observe: () => undefined,
    needsVenueTime: () => true,
    close: () => undefined,
  };
  return { clock, ends, told, watched: watchedBudget(budget, clock, (spent) => told.push(spent)) };
}

test("a slot is told when its request is over, with what it was for, how long it waited and took, and how it ended", async () => {
  const { clock, ends, told, watched } = stage();
  const taken = await watched.take({ class: "order" });
  if (!taken.ok) throw new Error(taken.error);
  expect(taken.value.nonce()).toEqual(ok(7));
  expect(taken.value.held()).toBe(true);
  clock.advance(40);
  expect(told).toEqual([]);
  taken.value.end({ kind: "answered", rateLimited: false, retryAfterMs: undefined });
  expect(ends).toHaveLength(1);
  const at = T0 + 250;
  expect(told).toEqual([
    { at, class: "order", what: "order", waitedMs: 250, tookMs: 40, drewNonce: true, end: "answered" },
  ]);
});

test("a read is told by its path, and one refused for its pace as such", async () => {
  const { clock, told, watched } = stage();
  clock.advance(5_000);
  const shared = await watched.share({ class: "quote", key: "/client/quotes {}" }, async (slot) => {
    slot.end({ kind: "answered", rateLimited: true, retryAfterMs: 1_000 });
    return "sent";
  });
  expect(shared).toEqual(ok("sent"));
  expect(told).toMatchObject([{ what: "/client/quotes {}", waitedMs: 100, end: "rate-limited", drewNonce: false }]);
  expect(told).toMatchObject([{ worth: 3, over: { class: "balance", worth: 2 } }]);
});

test("what got no slot spent none", async () => {
  const { told, watched } = stage();
  expect(await watched.take({ class: "other" })).toEqual(err("closed"));
  expect(told).toEqual([]);
});
