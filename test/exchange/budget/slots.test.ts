// The slots of a key, look by look.

import { expect, test } from "vitest";
import { millis, mono } from "../../../src/domain/time.ts";
import { pacingDefaults } from "../../../src/exchange/budget/pacing.ts";
import { InMemory, Slots } from "../../../src/exchange/budget/slots.ts";
import type { WantClass } from "../../../src/exchange/port.ts";
import { noon } from "./virtual-machine.ts";

const answered = { kind: "answered", rateLimited: false } as const;
const limited = { ...answered, rateLimited: true };
const abandoned = { kind: "abandoned" } as const;

function lineOf() {
  const dropped: string[] = [];
  const key = new InMemory(mono(0));
  const line = new Slots<string>(key, (item) => void dropped.push(item));
  const look = (at: number): string | undefined => line.look(mono(at))?.item;
  const want = (ofClass: WantClass, deadline?: number): void => {
    line.add({ class: ofClass, ...(deadline === undefined ? {} : { deadline: mono(deadline) }) }, ofClass);
  };
  /** Asked for and looked for at once. */
  const take = (at: number, ofClass: WantClass = "other"): string | undefined => {
    want(ofClass);
    return look(at);
  };
  return { key, line, look, want, take, dropped };
}

test("who has the slot draws nonces and passes the last check for 8 s, and nobody else does", () => {
  const { key, line, take } = lineOf();
  expect(key.hasVenueTime).toBe(false);
  line.observe({ venueTime: millis(noon), receivedAt: millis(noon), at: mono(0) });
  expect(key.hasVenueTime).toBe(true);
  const nonce = (at: number): boolean => line.nonce(millis(noon + at), mono(at)).ok;
  expect([nonce(0), line.begin(mono(0))]).toEqual([false, false]);
  take(1_000);
  expect([nonce(1_000), line.begin(mono(9_000)), line.begin(mono(9_001))]).toEqual([true, true, false]);
  line.end(answered, mono(9_001));
  expect([nonce(9_001), line.begin(mono(9_001))]).toEqual([false, false]);
  expect(() => line.end(answered, mono(9_001))).toThrow("ends exactly once");
});

test("a slot that sent nothing opens again at once however it ended, also after one that did", () => {
  const { line, take, look } = lineOf();
  take(0);
  line.begin(mono(0));
  line.end(abandoned, mono(100));
  // Its bytes may still arrive.
  expect([take(2_099), look(2_100)]).toEqual([undefined, "other"]);
  line.end(abandoned, mono(2_200));
  expect(take(2_200)).toBe("other");
  // What was answered was sent, whatever was said of it.
  line.end(answered, mono(2_300));
  expect([take(3_299), line.nextLookAt, look(3_300)]).toEqual([undefined, 3_300, "other"]);
});

test("after a storm of rate limits only a doubt is asked, and who else waits is looked at again and again", () => {
  const { line, take, look, want } = lineOf();
  const { stormCount, limitedPauseMs, stormPauseMs } = pacingDefaults;
  let at = 0;
  for (let i = 0; i < stormCount; i++) {
    expect(take(at)).toBe("other");
    line.begin(mono(at));
    line.end(limited, mono(at));
    at += i < stormCount - 1 ? limitedPauseMs : stormPauseMs;
  }
  expect([take(at), line.nextLookAt]).toEqual([undefined, at + 200]);
  want("doubt");
  expect(look(at + 200)).toBe("doubt");
});

test("a want is dropped past its deadline, at the first look that comes by itself after it", () => {
  const { line, take, look, want, dropped } = lineOf();
  take(0);
  line.begin(mono(0));
  want("quote", 100);
  // Somebody has the slot: looks come every 50 ms.
  look(10);
  expect(line.nextLookAt).toBe(110);
  look(100);
  expect(dropped).toEqual([]);
  look(110);
  expect([dropped, line.nextLookAt]).toEqual([["quote"], Number.POSITIVE_INFINITY]);
  want("balance", 500);
  look(160);
  expect(line.clear()).toEqual(["balance"]);
  expect([line.size, line.nextLookAt]).toEqual([0, Number.POSITIVE_INFINITY]);
});
