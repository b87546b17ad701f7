// What is kept back goes by itself, as what it was.

import { expect, test } from "vitest";
import { mono } from "../../../src/domain/time.ts";
import { createKeptBack } from "../../../src/watch/notices/kept-back.ts";
import type { Waiting } from "../../../src/watch/notices/waiting-line.ts";
import { message, virtualStage } from "./stage.ts";

function staged() {
  const { timers, pass, pending } = virtualStage();
  const released: Waiting[] = [];
  const left: string[] = [];
  const room = { has: false };
  const kept = createKeptBack({
    ...{ hour: { hasRoom: () => room.has, take: () => {}, roomInMs: () => 5_000 }, isFullFor: () => false, timers },
    release: (waiting) => void released.push(waiting),
    leaveOut: ({ text }) => void left.push(text),
  });
  return { kept, room, released, left, pass, pending };
}

const waiting = (text: string, because?: string): Waiting => ({
  ...{ message: message({ urgency: "critical", text }), since: mono(7), because, tries: 2, isTold: true },
});

test("goes when there is room, though nothing else is told until then, and is tried anew", async () => {
  const { kept, room, released, pass, pending } = staged();
  kept.add(waiting("plan"), "a crowd");
  await pass(4_999);
  room.has = true;
  expect(released).toEqual([]);
  await pass(1);
  expect(released).toEqual([{ ...waiting("plan", "a crowd"), tries: 0, isTold: false }]);
  expect(pending()).toBe(0);
});

test("says why it was kept back first, whatever kept it back since", async () => {
  const { kept, room, released } = staged();
  kept.add(waiting("plan", "a crowd"), "50 messages were waiting");
  room.has = true;
  kept.releaseAll();
  expect(released.map(({ because }) => because)).toEqual(["a crowd"]);
});

test("of more than 50 the oldest of the least urgent is left out", () => {
  const { kept, left } = staged();
  for (let count = 0; count < 50; count++) kept.add(waiting(`plan ${count}`), "a crowd");
  expect(left).toEqual([]);
  kept.add(waiting("plan 50"), "a crowd");
  expect([left, kept.close().length]).toEqual([["plan 0"], 50]);
});
