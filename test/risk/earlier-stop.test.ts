// Stops that an earlier version wrote: their causes are read from the words that those versions used.

import { expect, test } from "vitest";
import type { StopCause } from "../../src/domain/stop-cause.ts";
import { millis } from "../../src/domain/time.ts";
import { readEntry } from "../../src/journal/text/entry-text.ts";
import { createBooks } from "../../src/risk/create-books.ts";
import { formatLatch, readLatch } from "../../src/risk/latch.ts";
import { FRESH, stopsOf, transition } from "../../src/risk/standing.ts";

test.for<[StopCause, string]>([
  ["loss", "RC05: loss of the day is 12 CHF, limit is 10 CHF"],
  ["loss", "RC06: loss from the peak is 12 CHF, limit is 10 CHF"],
  ["used_up", "RC10: orders of the day are 20, limit is 20"],
  ["used_up", "RC11: value traded in an hour is 2 CHF, limit is 1 CHF"],
  ["used_up", "RC18: fees of the day are 2 CHF, limit is 1 CHF"],
  ["rejections", "RC12: rejections in a row are 20, limit is 19"],
  ["doubt", "RC16: outcome of T-1 is unknown for 900001 ms, limit is 900000 ms"],
  ["doubt", "T-1 was answered as done, and history does not show it after 900000 ms"],
  ["doubt", "T-1 is not known to have ended, and the venue refuses the key that asks about it"],
  ["exit_check", "RC21: what leaves is 2, limit is 1"],
  ["heartbeat", "RC25: time since the last heartbeat is 2 ms, limit is 1 ms"],
  ["journal", "journal-full: no room on the disk"],
  ["journal", "no stop could be kept: latch pegbot.db.latch cannot be written: ENOSPC"],
  ["journal", "the ledger of the key is gone: /state was moved or deleted while in use"],
  ["journal", "the journal was anchored anew at record 5 by anna; what came after it is not in it"],
  ["bug", "stopped by a bug: x is not a function"],
  ["strategy", "strategy stopped: decide of grid threw: stopped by a bug, must be 1, was 2"],
  ["strategy", "strategy grid does not sit down: migrateState threw"],
  ["strategy", "the state of strategy grid cannot be recorded: state.a must be plain data"],
  ["venue", "the venue refuses our key"],
  ["venue", "the venue forbids this account to ask: kyb-required"],
  ["venue", "the venue forbids T-1: it contradicts RC05, which was never sent"],
  ["no_rate", "what was adopted has no rate, so losses of the day and from the peak cannot be told"],
  ["foreign", 'the venue shows trade "t-1" and 2 more, of which the journal knows nothing'],
  ["foreign", "the venue lists T-1, which was never sent"],
  ["foreign", "M-1: the venue lists several new mints that may be M-1"],
  ["late_fill", "T-1 happened after it had been given up (rejected); it is booked"],
  ["late_fill", "order T-1 was reported rejected after it had filled"],
  ["contradiction", "T-1: trades do not show it; orders show it as Filled"],
  ["contradiction", "T-1: an order fills once; trades show trade t1 and trade t2"],
  ["contradiction", "the answer to T-1 contradicts itself: the answer is about another order"],
  ["contradiction", "the venue lists T-1 as Rejected, which is booked as filled"],
  ["contradiction", "M-1 arrived, but the books do not know it in flight"],
  ["contradiction", "M-1 is in flight already, and departed again"],
  ["contradiction", "mint M-1 cost 2 CHF, approved was at most 1 CHF; it is booked"],
  ["contradiction", "fill of T-1 must be trade t1, was t2"],
  ["balances", "the venue's balances differ from the ledger by 5 CHF, which no order of ours explains"],
  ["balances", "T-1: balances differ from the ledger by 5 CHF, which no open request explains"],
  ["balances", "balances must not be negative, were -1 available and 0 pending of CHF"],
  ["balances", "the venue does not say what there is of CHF"],
  ["balances", "venue and ledger differ: CHF at the venue 100500, in the journal 100000"],
  ["other", "something nobody has thought of"],
])("as %s is known %s", ([cause, reason]) => {
  const found = transition(FRESH, { kind: "halt", cause: undefined, reason, wayOut: "out" }, millis(1));
  expect(found.cause).toBe(cause);
});

test("a stop that says its cause is not read by its words", () => {
  const halt = { kind: "halt", cause: "venue", reason: "RC05: the venue says so", wayOut: "out" } as const;
  expect(transition(FRESH, halt, millis(1)).cause).toBe("venue");
});

test("a record of an earlier journal is read as it stands, and its stop has a cause", () => {
  const control = '{"kind":"halt","reason":"RC05: lost","wayOut":"out"}';
  const read = readEntry(7, `{"sequence":7,"writer":"w","record":{"kind":"control","at":1,"control":${control}}}`, "h");
  const record = read.ok && read.value.record.kind === "control" ? read.value.record : expect.unreachable("unread");
  expect(transition(FRESH, record.control, record.at)).toMatchObject({ state: "HALTED", cause: "loss" });
});

test("a latch of an earlier version is believed, with the causes of its words, and written with them from then on", () => {
  const beneath = '[{"state":"HALTED","reason":"RC06: lost","wayOut":"out","by":"bot","since":3}]';
  const text = `{"pegbot":"latch","version":1,"state":"KILLED","reason":"RC05","wayOut":"out","by":"anna","since":5,"also":${beneath}}\n`;
  const found = readLatch({ kind: "text", text }, millis(9));
  expect(stopsOf(found).map(({ state, cause }) => [state, cause])).toEqual([
    ["KILLED", "person"],
    ["HALTED", "loss"],
  ]);
  const now = formatLatch(found);
  expect(now).toContain('"since":5,"cause":"person"');
  expect(readLatch({ kind: "text", text: now }, millis(9))).toEqual(found);
});

test("a stop that an earlier journal, latch or checkpoint has without its subject is the one that is found now, and no second", () => {
  const reason = "the venue lists T-1 as Filled, which had been given up (presumed-dead)";
  const control = `{"kind":"halt","reason":"${reason}","wayOut":"out","cause":"late_fill"}`;
  const read = readEntry(7, `{"sequence":7,"writer":"w","record":{"kind":"control","at":1,"control":${control}}}`, "h");
  const record = read.ok && read.value.record.kind === "control" ? read.value.record : expect.unreachable("unread");
  const stop = `"state":"HALTED","reason":"${reason}","wayOut":"out","by":"bot","since":1,"cause":"late_fill"`;
  const books = createBooks("CHF" as never);
  books.apply({ kind: "control", control: record.control, at: record.at });
  const found = [
    transition(FRESH, record.control, record.at),
    readLatch({ kind: "text", text: `{"pegbot":"latch","version":1,${stop}}\n` }, millis(9)),
    createBooks("CHF" as never, JSON.parse(JSON.stringify(books.save()))).standing,
  ];
  const late = { kind: "halt", cause: "late_fill", subject: "late T-1", wayOut: "out" } as const;
  for (const known of found) {
    expect(known.reason).toBe(reason);
    expect(transition(known, { ...late, reason }, millis(2))).toBe(known);
    // More is known of it now, and who found it says so in other words.
    const booked = "order T-1 filled after it had been given up; the fill is booked";
    const now = transition(known, { ...late, finding: "booked", reason: booked }, millis(2));
    expect(stopsOf(now).map((one) => [one.reason, one.subject, one.finding])).toEqual([[booked, "late T-1", "booked"]]);
    expect(stopsOf(transition(known, { ...late, subject: "late T-2", reason: "T-2" }, millis(2)))).toHaveLength(2);
  }
});

test("subject and finding come back from latch and checkpoint as they were", () => {
  const halt = { kind: "halt", cause: "balances", subject: "difference of CHF", finding: "cost of M-1" } as const;
  const books = createBooks("CHF" as never);
  books.apply({ kind: "control", control: { ...halt, reason: "it differs", wayOut: "out" }, at: millis(1) });
  expect(books.standing).toMatchObject({ subject: "difference of CHF", finding: "cost of M-1" });
  expect(readLatch({ kind: "text", text: formatLatch(books.standing) }, millis(9))).toEqual(books.standing);
  expect(createBooks("CHF" as never, JSON.parse(JSON.stringify(books.save()))).standing).toEqual(books.standing);
});

test("a latch that cannot be believed is not called a person's, also where an earlier version journaled it", () => {
  expect(readLatch({ kind: "text", text: "{}" }, millis(9))).toMatchObject({ state: "KILLED", cause: "latch" });
  const kill = { kind: "kill", reason: "latch is malformed", by: "latch" } as const;
  expect(transition(FRESH, kill, millis(1)).cause).toBe("latch");
});

test("books of an earlier checkpoint know the causes of their stops", () => {
  const books = createBooks("CHF" as never);
  books.apply({
    kind: "control",
    control: { kind: "halt", cause: "loss", reason: "RC05: lost", wayOut: "out" },
    at: millis(1),
  });
  const saved = JSON.parse(JSON.stringify(books.save()));
  expect(saved.standing.cause).toBe("loss");
  delete saved.standing.cause;
  expect(createBooks("CHF" as never, saved).standing).toEqual(books.standing);
});
