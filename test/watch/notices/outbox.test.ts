// Messages on their way, whatever the channel does.

import { expect, test } from "vitest";
import { mono } from "../../../src/domain/time.ts";
import type { Channel, Refusal } from "../../../src/watch/notices/channel/channel.ts";
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

test("what is told once is tried for hours, said to have failed meanwhile, and late when it comes", async () => {
  let isDown = true;
  const { outbox, pass, told, sent, pending } = staged(async () =>
    isDown ? { reason: "busy", isFinal: false } : undefined,
  );
  outbox.put(message({ kind: "stop", urgency: "critical", title: "stop", text: "KILLED" }));
  outbox.put(message({ text: "fill" }));
  await pass(5 * 3_600_000);
  expect(told).toEqual(["failed: busy; it is tried again for 6 h"]);
  // Once a minute at most, and the next one with it.
  expect(sent.length).toBeLessThan(2 * (5 * 60 + 10));
  isDown = false;
  await pass(60_000);
  const late = /^(KILLED|fill)\n\(of 2026-11-15 08:00 UTC, 5:00:\d\d ago, late: this channel had failed\)$/;
  expect(sent.slice(-2)).toEqual([expect.stringMatching(late), expect.stringMatching(late)]);
  expect(told.slice(1)).toEqual(["sent: stop", "sent: pegbot test: fill"]);
  isDown = true;
  outbox.put(message({ kind: "stop", urgency: "critical", text: "HALTED" }));
  await pass(7 * 3_600_000);
  expect(told.slice(3)).toEqual([
    "failed: busy; it is tried again for 6 h",
    expect.stringMatching(/^dropped: given up after 3\d\d attempts: busy$/),
  ]);
  expect(pending()).toBe(0);
});

test("a stop that the service cannot take holds no other back for hours, and stops stay in order where it takes none", async () => {
  let isDown = true;
  const { outbox, pass, told, sent, pending } = staged(async ({ text }) =>
    isDown || text.startsWith("bad") ? { reason: "busy", isFinal: false } : undefined,
  );
  const stop = (text: string): void => outbox.put(message({ kind: "stop", urgency: "critical", title: text, text }));
  stop("first");
  stop("second");
  await pass(600_000);
  isDown = false;
  await pass(60_000);
  expect(told).toEqual(["failed: busy; it is tried again for 6 h", "sent: first", "sent: second"]);
  stop("bad");
  await pass(600_000);
  stop("third");
  stop("fourth");
  await pass(60_000);
  expect(told.slice(3)).toEqual([
    "failed: busy; it is tried again for 6 h",
    "sent: third",
    expect.stringMatching(/^dropped: given up after \d+ attempts: busy$/),
    "sent: fourth",
  ]);
  expect(sent.at(-1)).toBe("fourth");
  expect(pending()).toBe(0);
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
  const why = "dropped: more than 3 messages in an hour, or 50 waiting";
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

const stop = (text: string): Message => message({ kind: "stop", urgency: "critical", text });

test("what people must know and finds the hour used up is kept back, most urgent first, and goes when there is room", async () => {
  const { outbox, pass, told, sent } = staged(ok, 1);
  const warning = (text: string): Message => message({ kind: "plan", urgency: "warning", text });
  for (const one of [warning("plan stopped"), warning("to be paid"), stop("HALTED 1"), stop("HALTED 2")])
    outbox.put(one);
  outbox.put(message({ kind: "resume", urgency: "warning", text: "resumed" }));
  outbox.put(message({ text: "fill" }));
  await pass(1_000);
  outbox.put(stop("HALTED 3"));
  await pass(3_598_999);
  expect(sent).toEqual(["plan stopped", "HALTED 1\n(1 more message was left out)", "HALTED 2"]);
  await pass(2);
  const late = (age: string): string =>
    `\n(of 2026-11-15 08:00 UTC, ${age} ago, kept back: more than 1 messages in an hour)`;
  expect(sent.slice(3)).toEqual([`resumed${late("1:00:00")}`, `HALTED 3${late("0:59:59")}`]);
  // Of the second hour the two take what the warnings may use.
  await pass(3_600_001);
  expect(sent.slice(5)).toEqual([`to be paid${late("2:00:00")}`]);
  expect(told.filter((line) => line.startsWith("dropped"))).toHaveLength(1);
});

test("what was kept back for hours and meets a channel that fails is tried for six hours in all, and says how old it is", async () => {
  let isDown = false;
  const { outbox, pass, told, sent } = staged(async () => (isDown ? { reason: "busy", isFinal: false } : undefined), 1);
  // One an hour, of which the last has its turn after five: it was to be told at the beginning.
  for (let i = 0; i < 6; i++)
    outbox.put(message({ kind: "plan", urgency: "warning", title: "plan", text: `plan ${i}` }));
  for (let hour = 1; hour < 5; hour++) await pass(3_600_001);
  expect(sent.length).toBe(5);
  isDown = true;
  await pass(3_600_001);
  expect(sent.at(-1)).toBe(
    "plan 5\n(of 2026-11-15 08:00 UTC, 5:00:00 ago, kept back: more than 1 messages in an hour)",
  );
  await pass(70 * 60_000);
  expect(sent.at(-1)).toMatch(
    /, 5:59:\d\d ago, kept back: more than 1 messages in an hour; late: this channel had failed\)$/,
  );
  expect(told.at(-1)).toMatch(/^dropped: given up after \d+ attempts: busy$/);
});

test("of more stops than can be kept the last is told, by the hour and behind a channel that hangs", async () => {
  const used = staged(ok, 1);
  for (let i = 0; i < 200; i++) used.outbox.put(stop(`HALTED ${i}`));
  for (let hour = 0; hour < 20; hour++) await used.pass(3_600_001);
  expect([used.sent.length, used.sent.at(-1)?.split("\n")[0]]).toEqual([53, "HALTED 199"]);
  expect(used.pending()).toBe(0);
  const held = Promise.withResolvers<undefined>();
  const full = staged(({ text }) => (text === "HALTED 0" ? held.promise : ok(message(), stopped)), 600);
  for (let i = 0; i < 200; i++) full.outbox.put(stop(`HALTED ${i}`));
  held.resolve(undefined);
  await full.pass(0);
  expect([full.sent.length, full.sent.at(-1)?.split("\n")[0]]).toEqual([51, "HALTED 199"]);
});

test("no number of fills keeps the summary of the day out, neither by the hour nor by a full queue", async () => {
  const used = staged(ok, 3);
  for (let i = 0; i < 5; i++) used.outbox.put(message({ text: `fill ${i}` }));
  used.outbox.put(message({ kind: "summary", text: "the day" }));
  await used.pass(0);
  expect(used.sent.some((text) => text.startsWith("the day"))).toBe(true);
  const held = Promise.withResolvers<undefined>();
  const full = staged(({ text }) => (text === "fill 0" ? held.promise : ok(message(), stopped)), 600);
  for (let i = 0; i < 60; i++) full.outbox.put(message({ text: `fill ${i}` }));
  full.outbox.put(message({ kind: "summary", text: "the day" }));
  held.resolve(undefined);
  await full.pass(0);
  expect(full.sent[1]).toMatch(/^the day/);
});

test("a queue behind a slow channel is bounded", async () => {
  const { outbox, pass, told } = staged(never, 600);
  for (let i = 0; i < 200; i++) outbox.put(message());
  await pass(0);
  expect(told.filter((line) => line.startsWith("dropped")).length).toBe(200 - 51);
});

test("of equals in a full queue the earlier stay", async () => {
  const held = Promise.withResolvers<undefined>();
  const { outbox, pass, sent } = staged(({ text }) => (text === "fill 0" ? held.promise : ok(message(), stopped)), 600);
  for (let i = 0; i < 60; i++) outbox.put(message({ text: `fill ${i}` }));
  held.resolve(undefined);
  await pass(0);
  expect(sent.map((text) => text.split("\n")[0])).toEqual(Array.from({ length: 51 }, (_, i) => `fill ${i}`));
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

test("what a stop overtakes hands over what it was to say, and goes on before its equals", async () => {
  const held = Promise.withResolvers<undefined>();
  let tries = 0;
  const { outbox, pass, sent } = staged(async ({ text }) => {
    if (text === "slow") return held.promise;
    return text.startsWith("fill 0") && ++tries < 2 ? { reason: "busy", isFinal: false } : undefined;
  }, 600);
  outbox.put(message({ text: "slow" }));
  for (let i = 0; i < 52; i++) outbox.put(message({ text: `fill ${i}` }));
  held.resolve(undefined);
  await pass(1_000);
  outbox.put(message({ kind: "stop", urgency: "critical", text: "KILLED" }));
  await pass(0);
  const more = "\n(2 more messages were left out)";
  expect(sent.slice(0, 5)).toEqual(["slow", `fill 0${more}`, `KILLED${more}`, "fill 0", "fill 1"]);
});

test("a stop that came during an attempt goes as soon as that has failed", async () => {
  const first = Promise.withResolvers<Refusal>();
  const { outbox, pass, sent } = staged(({ text }) => (text === "fill" ? first.promise : ok(message(), stopped)));
  outbox.put(message({ text: "fill" }));
  outbox.put(message({ kind: "stop", urgency: "critical", text: "KILLED" }));
  first.resolve({ reason: "busy", isFinal: false });
  await pass(0);
  expect(sent.slice(0, 2)).toEqual(["fill", "KILLED"]);
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
  outbox.put(message({ kind: "stop", urgency: "critical", text: "KILLED" }));
  await pass(9_999);
  expect([sent, aborted]).toEqual([["rests", "rests", "slow"], 0]);
  await pass(1);
  expect([sent[3], aborted]).toEqual(["KILLED", 1]);
});

test("a stop goes before everything that waits, whatever that is, and a stop and its end stay in order", async () => {
  const { outbox, pass, sent } = staged(ok, 600);
  for (let i = 0; i < 40; i++) outbox.put(message({ text: `fill ${i}` }));
  outbox.put(message({ kind: "mint", urgency: "warning", text: "held" }));
  outbox.put(message({ kind: "doubt", urgency: "critical", text: "doubt" }));
  outbox.put(message({ kind: "stop", urgency: "critical", text: "KILLED" }));
  outbox.put(message({ kind: "resume", urgency: "warning", text: "resumed" }));
  outbox.put(message({ kind: "stop", urgency: "critical", text: "HALTED" }));
  await pass(0);
  expect(sent.slice(0, 7)).toEqual(["fill 0", "KILLED", "resumed", "HALTED", "doubt", "held", "fill 1"]);
});

test("a stop finds a place in a full queue and in an hour that is used up", async () => {
  const full = staged(never, 600);
  for (let i = 0; i < 60; i++) full.outbox.put(message({ urgency: "critical", kind: "doubt", text: `doubt ${i}` }));
  const before = full.told.length;
  full.outbox.put(message({ kind: "stop", urgency: "critical", text: "KILLED" }));
  await full.pass(60_000);
  // What it displaced is kept back.
  const dropped = full.told.slice(before).filter((line) => line.startsWith("dropped"));
  expect([dropped, full.sent[1]?.split("\n")[0]]).toEqual([[], "KILLED"]);
  const used = staged(ok, 3);
  for (let i = 0; i < 9; i++) used.outbox.put(message({ urgency: "critical", kind: "doubt", text: `doubt ${i}` }));
  used.outbox.put(message({ kind: "stop", urgency: "critical", text: "KILLED" }));
  await used.pass(0);
  expect([used.sent.length, used.sent.some((text) => text.startsWith("KILLED"))]).toEqual([7, true]);
});

test("a stop does not wait for the attempts of a message that fails, which is tried again after it", async () => {
  const { outbox, pass, sent, told } = staged(async ({ kind }) =>
    kind === "fill" ? { reason: "busy", isFinal: false } : undefined,
  );
  outbox.put(message({ text: "fill" }));
  await pass(1_000);
  outbox.put(message({ kind: "stop", urgency: "critical", text: "KILLED" }));
  await pass(0);
  expect(sent.slice(0, 2)).toEqual(["fill", "KILLED"]);
  await pass(60_000);
  expect([sent, told.at(-1)]).toEqual([["fill", "KILLED", "fill", "fill"], "failed: busy"]);
});

test("a stop waits as long as the service asks, and no longer", async () => {
  const asked = { reason: "429", isFinal: false, retryAfterMs: 30_000 };
  const { outbox, pass, sent } = staged(async ({ kind }) => (kind === "fill" ? asked : undefined));
  outbox.put(message({ text: "fill" }));
  await pass(1_000);
  outbox.put(message({ kind: "stop", urgency: "critical", text: "KILLED" }));
  await pass(28_000);
  expect(sent).toEqual(["fill"]);
  await pass(1_000);
  expect(sent.slice(0, 2)).toEqual(["fill", "KILLED"]);
});

test("closing gives up what waits, and waits for nothing", async () => {
  for (const tries of [1, 2]) {
    const { outbox, pass, pending, told, sent, seen } = staged(async (next, signal) =>
      sent.length < tries ? { reason: "busy", isFinal: false } : never(next, signal),
    );
    outbox.put(message());
    outbox.put(message());
    await pass(2_000);
    outbox.close();
    await pass(0);
    expect([told, sent.length]).toEqual([["failed: given up before it was answered: the bot stopped"], tries]);
    expect([seen, pending()]).toEqual([{ closes: 1, aborts: 1 }, 0]);
    outbox.put(message());
    await pass(120_000);
    expect([told.length, sent.length]).toEqual([1, tries]);
  }
});

test("closing ends a rest", async () => {
  const { outbox, pass, pending, told } = staged(async () => ({ reason: "busy", isFinal: false }));
  outbox.put(message());
  await pass(1_000);
  outbox.close();
  await pass(0);
  expect([told, pending()]).toEqual([["failed: busy"], 0]);
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
    if (sent.length === 3) outbox.put(message({ kind: "stop", urgency: "critical", title: "stop", text: "KILLED" }));
    return { reason: "busy", isFinal: false };
  });
  outbox.put(message());
  await pass(60_000);
  expect([told, sent.length]).toEqual([["failed: busy", "sent: stop"], 4]);
});

test("while the service itself asks for a rest no other is tried in between, however often one has failed", async () => {
  const { outbox, pass, sent } = staged(async () => ({ reason: "slow down", isFinal: false, retryAfterMs: 5_000 }));
  for (const text of ["first", "second"]) outbox.put(message({ kind: "stop", urgency: "critical", text }));
  await pass(50_000);
  expect([sent.length, new Set(sent.map((text) => text.split("\n")[0]))]).toEqual([11, new Set(["first"])]);
});

test("what comes a minute after it was to be told says so, and what comes before does not", async () => {
  for (const [restMs, late] of [
    [59_999, ""],
    [60_000, "\n(of 2026-11-15 08:00 UTC, 0:01:00 ago, late: this channel had failed)"],
  ] as const) {
    const { outbox, pass, sent } = staged(async () =>
      sent.length === 1 ? { reason: "slow down", isFinal: false, retryAfterMs: restMs } : undefined,
    );
    outbox.put(message({ text: "fill" }));
    await pass(60_000);
    expect(sent).toEqual(["fill", `fill${late}`]);
  }
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

test("in a full queue only the last of the least urgent gives way", async () => {
  const held = Promise.withResolvers<undefined>();
  const { outbox, pass, sent } = staged(({ text }) => (text === "slow" ? held.promise : ok(message(), stopped)), 600);
  outbox.put(message({ text: "slow" }));
  for (let i = 0; i < 49; i++) outbox.put(message({ kind: "doubt", urgency: "critical", text: "doubt" }));
  outbox.put(message({ text: "fill" }));
  outbox.put(message({ kind: "mint", urgency: "warning", text: "held" }));
  held.resolve(undefined);
  await pass(0);
  expect([sent.length, sent.at(-1), sent.includes("fill")]).toEqual([51, "held", false]);
});

test("of too many that are kept back the least urgent go, and are counted; closing waits for none of them", async () => {
  const { outbox, pass, told, sent, pending } = staged(ok, 1);
  // Three fill the hour; then one more and as many as are kept.
  for (const text of ["stop 1", "stop 2", "stop 3", "stop 4"]) outbox.put(stop(text));
  for (let i = 0; i < 50; i++) outbox.put(message({ kind: "plan", urgency: "warning", text: `warning ${i}` }));
  await pass(0);
  expect([sent.length, told.filter((line) => line.startsWith("dropped")).length]).toEqual([3, 1]);
  await pass(3_600_001);
  expect(sent[3]).toMatch(/^stop 4\n/);
  expect(sent.some((text) => text.startsWith("warning 0\n"))).toBe(false);
  expect(pending()).toBe(1);
  outbox.close();
  expect(pending()).toBe(0);
});

test("what is no more urgent does not end a rest", async () => {
  const { outbox, pass, sent } = staged(async () => ({ reason: "busy", isFinal: false }));
  for (const text of ["first", "second"]) {
    outbox.put(message({ text }));
    await pass(999);
  }
  expect(sent).toEqual(["first"]);
});

test("what people must know and meets a full queue behind a channel that hangs is kept back, and goes when it answers again", async () => {
  const held = Promise.withResolvers<undefined>();
  const { outbox, pass, sent, told, pending } = staged(
    ({ text }) => (text === "plan 0" ? held.promise : ok(message(), stopped)),
    600,
  );
  const plan = (i: number): Message => message({ kind: "plan", urgency: "warning", text: `plan ${i}` });
  for (let i = 0; i < 80; i++) outbox.put(plan(i));
  await pass(1_000);
  expect([sent, told]).toEqual([["plan 0"], []]);
  held.resolve(undefined);
  await pass(0);
  expect(sent.map((text) => text.split("\n")[0])).toEqual(Array.from({ length: 80 }, (_, i) => `plan ${i}`));
  expect(sent[60]).toBe("plan 60\n(of 2026-11-15 08:00 UTC, 0:00:01 ago, kept back: 50 messages were waiting)");
  expect([told.filter((line) => line.startsWith("dropped")), pending()]).toEqual([[], 0]);
});

test("one that was kept back by the hour and is released to a full queue waits on instead of being left out", async () => {
  let isDown = true;
  const { outbox, pass, sent, told } = staged((next, signal) => (isDown ? never : ok)(next, signal), 30);
  // One is under way and 50 wait: the hour has room for 60 of these, and for 30 of the next.
  for (let i = 0; i < 51; i++) outbox.put(message({ kind: "doubt", urgency: "critical", text: `doubt ${i}` }));
  outbox.put(message({ kind: "plan", urgency: "warning", text: "to be paid" }));
  await pass(3_600_001);
  isDown = false;
  await pass(120_000);
  expect(sent.at(-1)).toMatch(
    /^to be paid\n\(of 2026-11-15 08:00 UTC, 1:\d\d:\d\d ago, kept back: more than 30 messages in an hour\)/,
  );
  expect(told.filter((line) => line.startsWith("dropped"))).toEqual([]);
});

test("what people must know and finds no place at all is named each time it is left out, and at the end", async () => {
  const { outbox, pass, told } = staged(never, 600);
  for (let i = 0; i < 103; i++)
    outbox.put(message({ kind: "plan", urgency: "warning", title: "bot: plan", text: `plan ${i}` }));
  await pass(0);
  const dropped = () => told.filter((line) => line.startsWith("dropped"));
  const why = "more than 600 messages in an hour, or 50 waiting";
  // One is under way, 50 wait and 50 are kept back: of those the oldest go.
  expect(dropped()).toEqual([`dropped: ${why}: bot: plan, plan 51`, `dropped: ${why}: bot: plan, plan 52`]);
  outbox.close();
  await pass(0);
  expect(dropped().slice(2)).toHaveLength(100);
  expect(dropped().at(-1)).toBe("dropped: the bot stopped before it was sent: bot: plan, plan 102");
});

test("stops that were kept back go before those that came later, also into a full queue", async () => {
  let isDown = true;
  const { outbox, pass, sent, told } = staged((next, signal) => (isDown ? never : ok)(next, signal), 10);
  // The hour has room for 30 of them, the queue for 50: of those that are kept back not all find a place.
  for (let i = 0; i < 60; i++) outbox.put(stop(`HALTED ${i}`));
  await pass(3_600_001);
  outbox.put(message({ kind: "resume", urgency: "warning", text: "resumed" }));
  isDown = false;
  await pass(2 * 3_600_001);
  expect(sent.slice(-2).map((text) => text.split("\n")[0])).toEqual(["HALTED 59", "resumed"]);
  expect(told.filter((line) => line.startsWith("dropped"))[0]).toMatch(/HALTED 1$/);
});

test("a stop that was kept back goes before its end also where the machine stood still until that came", async () => {
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
  // Room for three stops an hour, and no timer has had its turn.
  const timers = { after: () => () => undefined };
  const clock = { monotonic: () => mono(now) };
  const outbox = createOutbox(channel, { clock, timers, perHourMax: 1, told: () => undefined });
  for (let i = 1; i <= 4; i++) outbox.put(stop(`HALTED ${i}`));
  await untilItHolds(() => expect(sent).toEqual(["HALTED 1", "HALTED 2", "HALTED 3"]));
  now = 3_600_001;
  outbox.put(message({ kind: "resume", urgency: "warning", text: "resumed" }));
  await untilItHolds(() => expect(sent.slice(3)).toEqual(["HALTED 4", "resumed"]));
});

test("closing names one that was tried beside another, too", async () => {
  let isTried = false;
  const { outbox, pass, told } = staged(async ({ text }, signal) => {
    if (text.startsWith("first")) return { reason: "busy", isFinal: false };
    isTried = true;
    signal.addEventListener("abort", () => {
      isTried = false;
    });
    return never(message(), signal);
  });
  for (const text of ["first", "second"])
    outbox.put(message({ kind: "stop", urgency: "critical", title: "bot", text }));
  for (let second = 0; second < 600 && !isTried; second++) await pass(1_000);
  expect(isTried).toBe(true);
  outbox.close();
  await pass(0);
  expect(told.slice(1).sort()).toEqual([
    expect.stringMatching(/^dropped: given up after \d+ attempts: busy$/),
    "dropped: the bot stopped before it was sent: bot, second",
  ]);
});
