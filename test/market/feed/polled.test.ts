// What a feed that asks again and again leaves behind.

import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { createRandom } from "../../../src/domain/random.ts";
import type { Told } from "../../../src/market/feed/feed.ts";
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

it("asks no more, and says nothing, once nobody listens, also where the question ends with that", async () => {
  const time = handTime(Date.UTC(2026, 10, 13, 12));
  const troubles: (string | undefined)[] = [];
  const onTrouble = (_: string, reason: string | undefined) => void troubles.push(reason);
  const givenUp = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  const feed = polled("other", givenUp, { ...time, random: createRandom(5), onTrouble }).subscribe();
  feed.unsubscribe();
  await sleep(0);
  expect([time.waiting(), troubles]).toEqual([[], []]);
});

it("says when something is wrong, once, and when it is over; a part that is missing does not slow it down", async () => {
  const time = handTime(Date.UTC(2026, 10, 13, 12));
  const tick = { symbol: "GBP/USD" as PairSymbol, bid: 1.31, ask: 1.32, at: undefined };
  const partly = (trouble: string) => ({ ticks: [tick], trouble });
  const none = (trouble: string) => ({ ticks: [], trouble });
  const answers: Told[] = [
    partly("it has no USD/CHF"),
    partly("it has no EUR/CHF"),
    none("no whole answer"),
    none("it answered EService"),
    partly("it has no USD/CHF"),
    { ticks: [tick] },
  ];
  const troubles: (string | undefined)[] = [];
  const onTrouble = (_: string, reason: string | undefined) => void troubles.push(reason);
  const rests: number[] = [];
  const ask = async (): Promise<Told> => answers.shift() as Told;
  const feed = polled("other", ask, { ...time, random: createRandom(5), onTrouble }).subscribe();
  await sleep(0);
  while (answers.length > 0) {
    const [rest = 0] = time.waiting();
    rests.push(rest);
    await time.pass(rest);
  }
  feed.unsubscribe();
  expect(troubles).toEqual(["it has no USD/CHF", undefined]);
  expect(rests.map((rest) => rest > POLL_DEFAULTS.everyMs)).toEqual([false, false, true, true, false]);
});

it("says another reason for its silence when it comes twice in a row, and not where two take turns", async () => {
  const time = handTime(Date.UTC(2026, 10, 13, 12));
  const reasons = ["no answer", "status 503", "no answer", "status 503", "certificate has expired"];
  const left = [...reasons, "certificate has expired", "certificate has expired"];
  const troubles: (string | undefined)[] = [];
  const onTrouble = (_: string, reason: string | undefined) => void troubles.push(reason);
  const ask = async (): Promise<Told> => ({ ticks: [], trouble: left.shift() });
  const feed = polled("other", ask, { ...time, random: createRandom(5), onTrouble }).subscribe();
  await sleep(0);
  while (left.length > 0) await time.pass(time.waiting()[0] ?? 0);
  feed.unsubscribe();
  expect(troubles).toEqual(["no answer", "certificate has expired"]);
});

it("names the bound of time that an answer broke, whatever the reader makes of being given up", async () => {
  const time = handTime(Date.UTC(2026, 10, 13, 12));
  const troubles: (string | undefined)[] = [];
  const onTrouble = (_: string, reason: string | undefined) => void troubles.push(reason);
  const ask = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("socket hang up"))));
  const feed = polled("other", ask, { ...time, random: createRandom(5), onTrouble }).subscribe();
  await time.pass(POLL_DEFAULTS.answerMsMax);
  feed.unsubscribe();
  expect(troubles).toEqual(["no whole answer within 5000 ms"]);
});
