// What a feed that asks again and again leaves behind.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { createRandom } from "../../../src/domain/random.ts";
import type { Told } from "../../../src/market/feed/feed.ts";
import { POLL_DEFAULTS, polled } from "../../../src/market/feed/polled.ts";
import { handTime } from "../../support/hand-time.ts";

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
