// Messages on their way, whatever the channel does.

import { expect, test } from "vitest";
import type { Channel, Refusal } from "../../../src/watch/notices/channel.ts";
import type { Message } from "../../../src/watch/notices/notice.ts";
import { createOutbox } from "../../../src/watch/notices/outbox.ts";
import { message, virtualStage } from "./stage.ts";

type Behaviour = (message: Message, signal: AbortSignal) => Promise<Refusal | undefined>;

function staged(behaviour: Behaviour, perHourMax = 100) {
  const stage = virtualStage();
  const told: string[] = [];
  const sent: string[] = [];
  const seen = { closes: 0, aborts: 0 };
  const channel: Channel = {
    name: "webhook",
    send(next, signal) {
      sent.push(next.text);
      signal.addEventListener("abort", () => seen.aborts++);
      return behaviour(next, signal);
    },
    close: () => void seen.closes++,
  };
  const parts = {
    ...stage,
    perHourMax,
    told: (outcome: string, reason: string | undefined) => void told.push(`${outcome}: ${reason}`),
  };
  return { ...stage, outbox: createOutbox(channel, parts), told, sent, seen };
}

const ok: Behaviour = async () => undefined;
const never: Behaviour = () => new Promise(() => {});
const busy: Behaviour = async () => ({ reason: "busy", isFinal: false });
const halted = (text: string): Message =>
  message({ kind: "stop", urgency: "critical", title: text, text, about: "stop" });
const resumed = (): Message => message({ kind: "resume", urgency: "warning", text: "resumed", ends: "stop" });

test("a channel that hangs does not hold the bot, and a message is given up after three attempts", async () => {
  const { outbox, pass, told, sent, seen } = staged(never);
  outbox.put(message());
  expect(sent).toHaveLength(1);
  await pass(9_999);
  expect(told).toEqual([]);
  await pass(60_000);
  expect([sent.length, seen.aborts, told]).toEqual([3, 3, ["failed: no answer within 10000 ms"]]);
});

test("a final refusal ends a message, and a channel that throws has failed", async () => {
  const refused = staged(async () => ({ reason: "wrong chat", isFinal: true }));
  refused.outbox.put(message());
  await refused.pass(60_000);
  expect([refused.sent.length, refused.told]).toEqual([1, ["failed: wrong chat"]]);
  const broken = staged(() => Promise.reject(new Error("ECONNREFUSED")));
  broken.outbox.put(message());
  await broken.pass(60_000);
  expect([broken.sent.length, broken.told]).toEqual([3, ["failed: ECONNREFUSED"]]);
});

test("a HALT is tried each minute until it is delivered, carries its own time, and is not given up", async () => {
  for (const isFinal of [false, true]) {
    let isDown = true;
    const { outbox, pass, told, sent } = staged(async () => (isDown ? { reason: "busy", isFinal } : undefined));
    outbox.put(halted("HALTED"));
    await pass(7 * 3_600_000);
    expect(told).toEqual(["failed: busy"]);
    expect(sent.length).toBeGreaterThan(400);
    expect(sent.length).toBeLessThan(430);
    isDown = false;
    await pass(60_000);
    expect(sent.at(-1)).toMatch(/^HALTED\n\(of 2026-11-15 08:00 UTC, sent 7:0[01]:\d\d later\)$/);
    expect(told.at(-1)).toBe("sent: HALTED");
  }
});

test("a HALT that could not be delivered is withdrawn by its resume", async () => {
  let isDown = true;
  const { outbox, pass, sent } = staged(async () => (isDown ? { reason: "busy", isFinal: false } : undefined));
  outbox.put(halted("HALTED"));
  await pass(600_000);
  outbox.put(resumed());
  await pass(0);
  const before = sent.length;
  isDown = false;
  await pass(600_000);
  expect(sent.slice(before)).toEqual(["resumed"]);
});

test("a HALT goes before everything that waits, and never ends an attempt under way", async () => {
  const { outbox, pass, sent, seen } = staged(ok, 600);
  for (let i = 0; i < 40; i++) outbox.put(message({ text: `fill ${i}` }));
  outbox.put(halted("HALTED"));
  await pass(0);
  expect([sent.slice(0, 3), seen.aborts]).toEqual([["fill 0", "HALTED", "fill 1"], 0]);
});

test("beyond the limit of an hour messages are left out and counted in the next; what waits for a person is not limited", async () => {
  const { outbox, pass, told, sent } = staged(ok, 3);
  for (let i = 0; i < 5; i++) {
    outbox.put(message({ text: `fill ${i}` }));
    await pass(1_000);
  }
  expect(sent).toEqual(["fill 0", "fill 1", "fill 2"]);
  expect(told.filter((line) => line.startsWith("dropped"))).toEqual([
    "dropped: more than 3 messages in an hour",
    "dropped: undefined",
  ]);
  for (let i = 0; i < 9; i++) outbox.put(halted(`HALTED ${i}`));
  await pass(1_000);
  expect([sent[3], sent.length]).toEqual(["HALTED 0\n(2 more messages were left out)", 12]);
  await pass(3_600_000);
  outbox.put(message({ text: "fill 6" }));
  await pass(1_000);
  expect(sent.at(-1)).toBe("fill 6");
});

test("closing ends the attempt or the wait, sends nothing more, and names what waits for a person", async () => {
  for (const answer of [never, busy]) {
    const { outbox, pass, pending, told, sent, seen } = staged(answer);
    outbox.put(message());
    outbox.put(halted("HALTED"));
    await pass(1_000);
    const tried = sent.length;
    outbox.close();
    await pass(120_000);
    outbox.put(message());
    await pass(120_000);
    expect(told).toEqual(["dropped: not sent: HALTED"]);
    expect([sent.length, seen.closes, pending()]).toEqual([tried, 1, 0]);
  }
});
