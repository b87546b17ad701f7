// What a feed that asks again and again leaves behind.

import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createRandom } from "../../../src/domain/random.ts";
import { POLL_DEFAULTS, polled } from "../../../src/market/feed/polled.ts";
import { handTime } from "../../support/hand-time.ts";

it("keeps nothing of a question that is answered, whoever listens to its signal", async () => {
  const time = handTime(Date.UTC(2026, 10, 13, 12));
  const asked: WeakRef<AbortSignal>[] = [];
  const ask = async (signal: AbortSignal) => {
    signal.addEventListener("abort", () => {}, { once: true });
    asked.push(new WeakRef(signal));
    return { ticks: [], trouble: undefined };
  };
  const feed = polled("other", ask, { ...time, random: createRandom(5) }).subscribe();
  for (let turn = 0; turn < 10; turn++) await time.pass(2 * POLL_DEFAULTS.everyMs);
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  await sleep(0);
  runInNewContext("gc")();
  expect(asked.length).toBeGreaterThan(9);
  expect(asked.slice(0, -2).filter((signal) => signal.deref() !== undefined)).toEqual([]);
  feed.unsubscribe();
});

it("ends the question in flight when nobody listens any more", async () => {
  let asked: AbortSignal | undefined;
  const time = handTime(Date.UTC(2026, 10, 13, 12));
  const never = (signal: AbortSignal): Promise<never> => {
    asked = signal;
    return new Promise(() => {});
  };
  const feed = polled("other", never, { ...time, random: createRandom(5) }).subscribe();
  expect(asked?.aborted).toBe(false);
  feed.unsubscribe();
  expect(asked?.aborted).toBe(true);
  expect(time.waiting()).toEqual([]);
});
