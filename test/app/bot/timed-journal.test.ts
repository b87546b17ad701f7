// A journal whose writes are timed, and nothing else about it.

import { expect, test } from "vitest";
import { timedJournal } from "../../../src/app/bot/pipeline-parts.ts";
import { millis } from "../../../src/domain/time.ts";
import type { Journal, JournalError } from "../../../src/journal/journal.ts";
import type { JournalRecord } from "../../../src/journal/record.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const RECORD: JournalRecord = { kind: "settled", at: millis(0), id: "A" };
const HEAD = { sequence: 1, hash: "" };

function staged(failure?: JournalError) {
  const clock = createVirtualClock(millis(0));
  const told: (string | number | undefined)[][] = [];
  const written = failure === undefined ? { ok: true } : { ok: false, error: failure };
  const slow = {
    async append() {
      clock.advance(5);
      return { ...written, value: { head: HEAD, reserve: "kept" } };
    },
    announce() {
      clock.advance(3);
      return { ...written, value: HEAD };
    },
    async transact(decide: (news: readonly never[]) => { value: unknown }) {
      clock.advance(100);
      const { value } = decide([]);
      clock.advance(7);
      return { ...written, value };
    },
  } as unknown as Journal;
  const meter = { wrote: (...one: (string | number | undefined)[]) => void told.push(one) };
  return { journal: timedJournal(slow, clock, meter), clock, told };
}

test("the time of a write is told; of a transaction without the wait for its turn and without what it decided", async () => {
  const { journal, clock, told } = staged();
  await journal.append([RECORD]);
  journal.announce([RECORD]);
  const result = await journal.transact(() => {
    clock.advance(50);
    return { records: [RECORD], value: "decided" };
  });
  expect(result).toMatchObject({ ok: true, value: "decided" });
  expect(told).toEqual([
    ["append", 5, undefined],
    ["announce", 3, undefined],
    ["transact", 7, undefined],
  ]);
});

test("a transaction that records nothing is no write, and one that failed is told by its code", async () => {
  const { journal, told } = staged();
  await journal.transact(() => ({ records: [], value: 1 }));
  expect(told).toEqual([]);
  const broken = staged({ code: "journal-full", message: "no room" });
  expect(await broken.journal.append([RECORD])).toMatchObject({ ok: false, error: { code: "journal-full" } });
  expect(broken.told).toEqual([["append", 5, "journal-full"]]);
});
