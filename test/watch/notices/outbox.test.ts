// Messages on their way, whatever the channel does.

import { expect, test } from "vitest";
import { mono } from "../../../src/domain/time.ts";
import type { Channel, Refusal } from "../../../src/watch/notices/channel.ts";
import type { Message } from "../../../src/watch/notices/notice.ts";
import { createOutbox } from "../../../src/watch/notices/outbox.ts";
import { untilItHolds } from "../../support/until-it-holds.ts";
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

const stopped = new AbortController().signal;
const ok: Behaviour = async () => undefined;
const never: Behaviour = () => new Promise(() => {});

test("a channel that hangs holds nobody: putting returns at once, and the message is given up after its attempts", async () => {
  let aborted = 0;
  const { outbox, pass, told, sent } = staged((_, signal) => {
    signal.addEventListener("abort", () => aborted++);
    return never(message(), signal);
  });
  outbox.put(message());
  expect(sent).toHaveLength(1);
  await pass(9_999);
  expect(told).toEqual([]);
  await pass(60_000);
  expect(sent).toHaveLength(3);
  expect(aborted).toBe(3);
  expect(told).toEqual(["failed: no answer within 10000 ms"]);
});

test("what fails for a while is tried again, later and later, and then sent", async () => {
  let calls = 0;
  const { outbox, pass, told, sent } = staged(async () =>
    ++calls < 3 ? { reason: "busy", isFinal: false } : undefined,
  );
  outbox.put(message());
  await pass(1_999);
  expect(sent).toHaveLength(1);
  await pass(1);
  expect(sent).toHaveLength(2);
  await pass(7_999);
  expect(sent).toHaveLength(2);
  await pass(1);
  expect(told).toEqual(["sent: pegbot test: fill"]);
});

test("what is refused for good is not tried again, and a channel that throws is one that failed", async () => {
  const refused = staged(async () => ({ reason: "wrong chat", isFinal: true }));
  refused.outbox.put(message());
  await refused.pass(60_000);
  expect([refused.sent.length, refused.told]).toEqual([1, ["failed: wrong chat"]]);
  const broken = staged(async () => {
    throw new Error("ECONNREFUSED");
  });
  broken.outbox.put(message());
  await broken.pass(60_000);
  expect([broken.sent.length, broken.told]).toEqual([3, ["failed: ECONNREFUSED"]]);
});

test("the wait that a service asks for is kept, within a minute", async () => {
  let calls = 0;
  const { outbox, pass, sent } = staged(async () =>
    ++calls === 1 ? { reason: "429", isFinal: false, retryAfterMs: 30_000 } : undefined,
  );
  outbox.put(message());
  await pass(29_999);
  expect(sent).toHaveLength(1);
  await pass(1);
  expect(sent).toHaveLength(2);
  const long = staged(async () => ({ reason: "429", isFinal: false, retryAfterMs: 3_600_000 }));
  long.outbox.put(message());
  await long.pass(60_000);
  expect(long.sent).toHaveLength(2);
});

test("no more than so many go out in an hour; how many were left out is said, and what is critical has room of its own", async () => {
  const { outbox, pass, told, sent } = staged(ok, 3);
  for (let i = 0; i < 5; i++) {
    outbox.put(message({ text: `fill ${i}` }));
    await pass(1_000);
  }
  expect(sent).toEqual(["fill 0", "fill 1", "fill 2"]);
  // Each is counted; that they are left out is said of the first, until something gets through.
  const dropped = () => told.filter((line) => line.startsWith("dropped"));
  const why = "dropped: more than 3 messages in an hour, or 100 waiting";
  expect(dropped()).toEqual([why, "dropped: undefined"]);
  outbox.put(message({ urgency: "critical", text: "HALTED" }));
  await pass(1_000);
  expect(sent.at(-1)).toBe("HALTED\n(2 more messages were left out)");
  outbox.put(message({ text: "fill 5" }));
  expect(dropped()).toEqual([why, "dropped: undefined", why]);
  await pass(3_600_000);
  outbox.put(message({ text: "fill 6" }));
  await pass(1_000);
  expect(sent.at(-1)).toBe("fill 6\n(1 more message was left out)");
});

test("how many were left out is said by the next that gets through, whatever became of the one that was to say it", async () => {
  let isDown = true;
  const { outbox, pass, sent } = staged(
    async ({ kind }) => (isDown && kind === "fill" ? { reason: "wrong", isFinal: true } : undefined),
    1,
  );
  outbox.put(message({ text: "fill 0" }));
  await pass(1_000);
  // Of the hour's one, this is the second.
  outbox.put(message({ text: "left out" }));
  await pass(3_600_001);
  outbox.put(message({ text: "fill 1" }));
  await pass(1_000);
  isDown = false;
  await pass(3_600_001);
  outbox.put(message({ text: "fill 2" }));
  await pass(1_000);
  const more = "\n(1 more message was left out)";
  expect(sent).toEqual(["fill 0", `fill 1${more}`, `fill 2${more}`]);
});

test("a stop that came during an attempt goes as soon as that has failed", async () => {
  const first = Promise.withResolvers<Refusal>();
  const { outbox, pass, sent } = staged(({ text }) => (text === "fill" ? first.promise : ok(message(), stopped)));
  outbox.put(message({ text: "fill" }));
  outbox.put(message({ kind: "stop", urgency: "critical", text: "HALTED" }));
  first.resolve({ reason: "busy", isFinal: false });
  await pass(0);
  expect(sent.slice(0, 2)).toEqual(["fill", "HALTED"]);
});

test("a stop ends a rest, and never an attempt that is under way", async () => {
  let tries = 0;
  let aborted = 0;
  const { outbox, pass, sent } = staged(async ({ text }, signal) => {
    if (text === "rests") return ++tries < 2 ? { reason: "busy", isFinal: false } : undefined;
    signal.addEventListener("abort", () => aborted++);
    return text === "slow" ? never(message(), signal) : undefined;
  });
  outbox.put(message({ text: "rests" }));
  await pass(2_000);
  outbox.put(message({ text: "slow" }));
  await pass(0);
  outbox.put(message({ kind: "stop", urgency: "critical", text: "HALTED" }));
  await pass(9_999);
  expect([sent, aborted]).toEqual([["rests", "rests", "slow"], 0]);
  await pass(1);
  expect([sent[3], aborted]).toEqual(["HALTED", 1]);
});

test("a stop goes before everything that waits, whatever that is, and a stop and its end stay in order", async () => {
  const { outbox, pass, sent } = staged(ok, 600);
  for (let i = 0; i < 40; i++) outbox.put(message({ text: `fill ${i}` }));
  outbox.put(message({ kind: "mint", urgency: "warning", text: "held" }));
  outbox.put(message({ kind: "doubt", urgency: "critical", text: "doubt" }));
  outbox.put(message({ kind: "stop", urgency: "critical", text: "HALTED" }));
  outbox.put(message({ kind: "resume", urgency: "warning", text: "resumed" }));
  outbox.put(message({ kind: "stop", urgency: "critical", text: "HALTED" }));
  await pass(0);
  expect(sent.slice(0, 7)).toEqual(["fill 0", "HALTED", "resumed", "HALTED", "doubt", "held", "fill 1"]);
});

test("a stop does not wait for the attempts of a message that fails, which is tried again after it", async () => {
  const { outbox, pass, sent, told } = staged(async ({ kind }) =>
    kind === "fill" ? { reason: "busy", isFinal: false } : undefined,
  );
  outbox.put(message({ text: "fill" }));
  await pass(1_000);
  outbox.put(message({ kind: "stop", urgency: "critical", text: "HALTED" }));
  await pass(0);
  expect(sent.slice(0, 2)).toEqual(["fill", "HALTED"]);
  await pass(60_000);
  expect([sent, told.at(-1)]).toEqual([["fill", "HALTED", "fill", "fill"], "failed: busy"]);
});

test("a stop waits as long as the service asks, and no longer", async () => {
  const asked = { reason: "429", isFinal: false, retryAfterMs: 30_000 };
  const { outbox, pass, sent } = staged(async ({ kind }) => (kind === "fill" ? asked : undefined));
  outbox.put(message({ text: "fill" }));
  await pass(1_000);
  outbox.put(message({ kind: "stop", urgency: "critical", text: "HALTED" }));
  await pass(28_000);
  expect(sent).toEqual(["fill"]);
  await pass(1_000);
  expect(sent.slice(0, 2)).toEqual(["fill", "HALTED"]);
});

test("what failed for the last time is told at once", async () => {
  const { outbox, pass, told } = staged(async () => ({ reason: "busy", isFinal: false }));
  outbox.put(message());
  await pass(9_999);
  expect(told).toEqual([]);
  await pass(1);
  expect(told).toEqual(["failed: busy"]);
});

test("what failed for the last time while a stop came says why, and is not tried again behind it", async () => {
  const { outbox, pass, told, sent } = staged(async ({ kind }) => {
    if (kind === "stop") return undefined;
    if (sent.length === 3) outbox.put(message({ kind: "stop", urgency: "critical", title: "stop", text: "HALTED" }));
    return { reason: "busy", isFinal: false };
  });
  outbox.put(message());
  await pass(60_000);
  expect([told, sent.length]).toEqual([["failed: busy", "sent: stop"], 4]);
});

test("what the bot could not send any more is named by its first line, cut to 120 letters", async () => {
  const { outbox, pass, told } = staged(never);
  outbox.put(message());
  const lines = ["x".repeat(120), "y".repeat(121)];
  for (const line of lines) outbox.put(message({ urgency: "critical", title: "plan", text: `${line}\nmore` }));
  outbox.close();
  await pass(0);
  const named = [lines[0], `${"y".repeat(119)}…`].map(
    (line) => `dropped: the bot stopped before it was sent: plan, ${line}`,
  );
  expect(told.filter((one) => one.startsWith("dropped"))).toEqual(named);
});

test("each has its room in an hour: a stop three times, what else is critical twice, and a warning once what all may", async () => {
  for (const [change, room] of [
    [{ kind: "stop", urgency: "critical" }, 9],
    [{ kind: "doubt", urgency: "critical" }, 6],
    [{ kind: "mint", urgency: "warning" }, 3],
    [{ kind: "fill" }, 3],
  ] as const) {
    const { outbox, pass, sent } = staged(ok, 3);
    for (let i = 0; i < 12; i++) outbox.put(message(change));
    await pass(0);
    expect(sent.length, change.kind).toBe(room);
  }
});

test("an hour is the last hour: what went out before it makes room, and what went out in it does not", async () => {
  const { outbox, pass, sent } = staged(ok, 3);
  const put = async (count: number): Promise<number> => {
    const before = sent.length;
    for (let i = 0; i < count; i++) outbox.put(message());
    await pass(0);
    return sent.length - before;
  };
  expect(await put(2)).toBe(2);
  await pass(1_800_000);
  expect(await put(2)).toBe(1);
  await pass(1_800_000);
  expect(await put(2)).toBe(0);
  await pass(1);
  expect(await put(3)).toBe(2);
});

test("what is no more urgent does not end a rest", async () => {
  const { outbox, pass, sent } = staged(async () => ({ reason: "busy", isFinal: false }));
  for (const text of ["first", "second"]) {
    outbox.put(message({ text }));
    await pass(999);
  }
  expect(sent).toEqual(["first"]);
});

const halted = (text: string): Message => message({ kind: "stop", urgency: "critical", title: text, text });
const plan = (text: string): Message => message({ kind: "plan", urgency: "warning", title: "plan", text });
const dropsOf = (told: readonly string[]): readonly string[] => told.filter((line) => line.startsWith("dropped"));
const LATE = (age: string): string => `\n(of 2026-11-15 08:00 UTC, sent ${age} later)`;

test("an important message is retried for six hours, reported as failed meanwhile, and carries its own time", async () => {
  let isDown = true;
  const { outbox, pass, told, sent, pending } = staged(async () =>
    isDown ? { reason: "busy", isFinal: false } : undefined,
  );
  outbox.put(halted("HALTED 1"));
  await pass(5 * 3_600_000);
  expect(told).toEqual(["failed: busy; retried for 6 h"]);
  // Once a minute at most.
  expect(sent.length).toBeLessThan(5 * 60 + 10);
  isDown = false;
  await pass(60_000);
  expect(sent.at(-1)).toMatch(/^HALTED 1\n\(of 2026-11-15 08:00 UTC, sent 5:00:\d\d later\)$/);
  isDown = true;
  outbox.put(halted("HALTED 2"));
  await pass(7 * 3_600_000);
  expect(told.slice(1)).toEqual([
    "sent: HALTED 1",
    "failed: busy; retried for 6 h",
    expect.stringMatching(/^dropped: given up after 3\d\d attempts: busy$/),
  ]);
  expect(pending()).toBe(0);
});

test("stops stay in order while the service takes none, and one that it never takes holds no other back", async () => {
  let isDown = true;
  const { outbox, pass, told } = staged(async ({ text }) =>
    isDown || text.startsWith("bad") ? { reason: "busy", isFinal: false } : undefined,
  );
  for (const text of ["first", "second"]) outbox.put(halted(text));
  await pass(600_000);
  isDown = false;
  await pass(60_000);
  const sent = (): readonly string[] => told.filter((line) => line.startsWith("sent"));
  expect(sent()).toEqual(["sent: first", "sent: second"]);
  outbox.put(halted("bad"));
  await pass(600_000);
  for (const text of ["third", "fourth"]) outbox.put(halted(text));
  await pass(60_000);
  expect(sent().slice(2)).toEqual(["sent: third", "sent: fourth"]);
  expect(told.filter((line) => line.startsWith("dropped"))).toEqual([]);
});

test("while the service asks for a rest no other is tried, however often one has failed", async () => {
  const { outbox, pass, sent } = staged(async () => ({ reason: "slow down", isFinal: false, retryAfterMs: 5_000 }));
  for (const text of ["first", "second"]) outbox.put(halted(text));
  await pass(50_000);
  expect([sent.length, new Set(sent.map((text) => text.split("\n")[0]))]).toEqual([11, new Set(["first"])]);
});

test("beyond the limit of the hour fills are dropped, and important messages wait, most urgent first", async () => {
  const { outbox, pass, told, sent } = staged(ok, 1);
  for (const one of [plan("plan stopped"), plan("to be paid"), halted("HALTED 1"), halted("HALTED 2")]) outbox.put(one);
  outbox.put(message({ kind: "resume", urgency: "warning", text: "resumed" }));
  outbox.put(message({ text: "fill" }));
  await pass(3_599_999);
  expect(sent).toEqual(["plan stopped", "HALTED 1\n(1 more message was left out)", "HALTED 2"]);
  await pass(2);
  expect(sent.slice(3)).toEqual([`resumed${LATE("1:00:00")}`]);
  await pass(3_600_001);
  expect(sent.slice(4)).toEqual([`to be paid${LATE("2:00:00")}`]);
  expect(dropsOf(told)).toHaveLength(1);
});

test("a stop that waits for the hour goes before its end, also where no timer ran until that came", async () => {
  const sent: string[] = [];
  let now = 0;
  const channel: Channel = {
    name: "webhook",
    async send({ text }) {
      sent.push(text.split("\n")[0] ?? "");
      return undefined;
    },
    close: () => undefined,
  };
  const timers = { after: () => () => undefined };
  const clock = { monotonic: () => mono(now) };
  const outbox = createOutbox(channel, { clock, timers, perHourMax: 1, told: () => undefined });
  for (let i = 1; i <= 4; i++) outbox.put(halted(`HALTED ${i}`));
  await untilItHolds(() => expect(sent).toEqual(["HALTED 1", "HALTED 2", "HALTED 3"]));
  now = 3_600_001;
  outbox.put(message({ kind: "resume", urgency: "warning", text: "resumed" }));
  await untilItHolds(() => expect(sent.slice(3)).toEqual(["HALTED 4", "resumed"]));
});

test("a queue behind a channel that hangs holds 100: the oldest of the least urgent go, named where they are important", async () => {
  const held = Promise.withResolvers<undefined>();
  const { outbox, pass, told, sent } = staged(
    ({ text }) => (text === "slow" ? held.promise : ok(message(), stopped)),
    600,
  );
  outbox.put(message({ text: "slow" }));
  for (let i = 0; i < 3; i++) outbox.put(message({ text: `fill ${i}` }));
  for (let i = 0; i < 98; i++) outbox.put(halted(`HALTED ${i}`));
  const why = "dropped: more than 600 messages in an hour, or 100 waiting";
  expect(told).toEqual([why, "dropped: undefined"]);
  outbox.put(plan("to be paid"));
  outbox.put(message({ kind: "summary", text: "the day" }));
  expect(told.slice(2)).toEqual(["dropped: undefined", `${why}: plan, to be paid`]);
  held.resolve(undefined);
  await pass(0);
  expect([sent.length, sent.at(-2)?.split("\n")[0], sent.at(-1)]).toEqual([100, "HALTED 97", "the day"]);
});

test("of more stops than the queue holds the last is sent", async () => {
  const { outbox, pass, sent } = staged(ok, 1);
  for (let i = 0; i < 200; i++) outbox.put(halted(`HALTED ${i}`));
  for (let hour = 0; hour < 35; hour++) await pass(3_600_001);
  expect(sent.at(-1)?.split("\n")[0]).toBe("HALTED 199");
});

test("a stop has room in an hour that doubts have used up", async () => {
  const { outbox, pass, sent } = staged(ok, 3);
  for (let i = 0; i < 9; i++) outbox.put(message({ urgency: "critical", kind: "doubt", text: `doubt ${i}` }));
  await pass(0);
  outbox.put(halted("HALTED"));
  await pass(0);
  expect([sent.length, sent.some((text) => text.startsWith("HALTED"))]).toEqual([7, true]);
});

test("closing ends the attempt and the rest under way, sends nothing more, and names what is important", async () => {
  for (const answer of [never, async () => ({ reason: "busy", isFinal: false })]) {
    const { outbox, pass, pending, told, sent, seen } = staged(answer);
    outbox.put(message());
    outbox.put(plan("to be paid"));
    await pass(1_000);
    const tried = sent.length;
    outbox.close();
    await pass(120_000);
    outbox.put(message());
    await pass(120_000);
    expect(told).toEqual(["dropped: the bot stopped before it was sent: plan, to be paid"]);
    expect([sent.length, seen.closes, pending()]).toEqual([tried, 1, 0]);
  }
});

test("a message a minute late carries its own time, and an earlier one does not", async () => {
  for (const [restMs, late] of [
    [59_999, ""],
    [60_000, LATE("0:01:00")],
  ] as const) {
    const { outbox, pass, sent } = staged(async () =>
      sent.length === 1 ? { reason: "slow down", isFinal: false, retryAfterMs: restMs } : undefined,
    );
    outbox.put(message({ text: "fill" }));
    await pass(60_000);
    expect(sent).toEqual(["fill", `fill${late}`]);
  }
});
