// An answer that is made once for all who ask within a moment.

import { expect, test } from "vitest";
import { lasting } from "../../../src/watch/dashboard/lasting.ts";
import { handTime } from "../../support/hand-time.ts";

test("is the same for all who ask within its time, and made anew for the first who asks after it", async () => {
  const time = handTime(0);
  let made = 0;
  const { get, close } = lasting(async () => ++made, 250, time.timers);
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  await time.pass(249);
  expect(await get()).toBe(1);
  await time.pass(1);
  expect([await get(), await get()]).toEqual([2, 2]);
  close();
  expect(time.waiting()).toEqual([]);
});

test("one that failed is not kept beyond its time either", async () => {
  const time = handTime(0);
  let made = 0;
  const fails = async (): Promise<string> => {
    if (made++ === 0) throw new Error("no memory");
    return "made";
  };
  const { get } = lasting(fails, 250, time.timers);
  await expect(get()).rejects.toThrow("no memory");
  await time.pass(250);
  expect(await get()).toBe("made");
});
