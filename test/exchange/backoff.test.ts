// Backoff in use: against a venue on a socket, on a clock that the test moves.

import { expect, test } from "vitest";
import { createRandom } from "../../src/domain/random.ts";
import { millis } from "../../src/domain/time.ts";
import { withBackoff } from "../../src/exchange/backoff.ts";
import { always } from "../support/fault-server.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { order, paying, playing, reading, type Wired } from "../support/wire.ts";

const balances = { balances: [] };

function patient(exchange: Wired["exchange"]) {
  const clock = createVirtualClock(millis(1_794_731_400_000));
  const waits: number[] = [];
  const timers = {
    after(delayMs: number, run: () => void) {
      waits.push(delayMs);
      clock.advance(delayMs);
      const timer = setTimeout(run, 0);
      return () => clearTimeout(timer);
    },
  };
  return { clock, waits, venue: withBackoff(exchange, { clock, timers, random: createRandom(5) }) };
}

test("a failing read waits longer and longer, and the first good answer ends it", async () => {
  let down = true;
  const script = always((line) => (down ? line.answer(503, "") : line.json(200, balances)));
  await playing(script, {}, async ({ exchange }) => {
    const { venue, waits } = patient(exchange);
    for (let i = 0; i < 8; i++) expect((await venue.balances(reading)).kind).toBe("failed");
    expect(waits).toHaveLength(7);
    for (const [i, wait] of waits.entries()) expect(wait).toBeLessThanOrEqual(Math.min(60_000, 1_000 * 2 ** i));
    expect(Math.max(...waits)).toBeGreaterThan(1_000);
    expect(venue.reachability()).toBe("good");
    down = false;
    expect((await venue.balances(reading)).kind).toBe("read");
    expect((await venue.balances(reading)).kind).toBe("read");
    expect(waits).toHaveLength(8);
    // And the next failure begins anew.
    down = true;
    for (let i = 0; i < 2; i++) await venue.balances(reading);
    expect(waits.slice(8)).toEqual([expect.any(Number)]);
    expect(waits[8]).toBeLessThanOrEqual(1_000);
  });
});

test("one call that is refused does not hold up the others", async () => {
  const script = always((line, { path }) =>
    path.endsWith("queryOrders") ? line.answer(403, "") : line.json(200, balances),
  );
  await playing(script, {}, async ({ exchange }) => {
    const { venue, waits } = patient(exchange);
    expect((await venue.orders(reading)).kind).toBe("failed");
    expect((await venue.balances(reading)).kind).toBe("read");
    expect(waits).toEqual([]);
  });
});

test("H14 H17 two refusals of the signature in a row lose the key; money is never held back or repeated", async () => {
  await playing(
    always((line) => line.answer(401, "")),
    {},
    async ({ venue: server, exchange }) => {
      const { venue, waits } = patient(exchange);
      await venue.balances(reading);
      expect(venue.reachability()).toBe("good");
      await venue.balances(reading);
      expect(waits).toEqual([2_000]);
      expect(venue.reachability()).toBe("auth-lost");
      expect((await venue.addOrder(order, paying())).kind).toBe("doubt");
      expect(server.requests()).toHaveLength(3);
    },
  );
});

test("H14 good answers to unsigned calls do not hide that the key is refused; a signed one clears it", async () => {
  let refused = true;
  const script = always((line, { path }) =>
    path.endsWith("assets")
      ? line.json(200, { assets: [] })
      : refused
        ? line.answer(401, "")
        : line.json(200, balances),
  );
  await playing(script, {}, async ({ exchange }) => {
    const { venue } = patient(exchange);
    await venue.balances(reading);
    expect((await venue.assets(reading)).kind).toBe("read");
    await venue.balances(reading);
    expect((await venue.assets(reading)).kind).toBe("read");
    expect(venue.reachability()).toBe("auth-lost");
    refused = false;
    expect((await venue.balances(reading)).kind).toBe("read");
    expect(venue.reachability()).toBe("good");
  });
});

test("a silence is counted from the last good answer on, and the first good one ends it", async () => {
  let code: string | undefined;
  const read = { kind: "read", value: [], at: undefined, receivedAt: millis(0), nonce: undefined } as const;
  const failed = () => ({ kind: "failed", failure: { code, status: undefined, venueCode: undefined, message: "" } });
  const asked = { balances: async () => (code === undefined ? { ...read } : failed()) };
  const { venue, clock } = patient(asked as unknown as Wired["exchange"]);
  clock.advance(5_000);
  await venue.balances(reading);
  clock.advance(20_000);
  expect(venue.silence()).toBeUndefined();
  code = "timeout";
  await venue.balances(reading);
  clock.advance(40_000);
  expect(venue.silence()).toEqual({ since: 1_794_731_405_000, ms: 60_000, code: "timeout" });
  code = undefined;
  await venue.balances(reading);
  expect(venue.silence()).toBeUndefined();
});
