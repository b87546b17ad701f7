// The journal of a backtest keeps the last records as they are, and counts all of them.

import { expect, it } from "vitest";
import type { JournalRecord } from "../../src/journal/record.ts";
import { TailJournal } from "../../src/journal/tail-journal.ts";
import { at } from "./samples.ts";

const settled = (count: number): JournalRecord => ({ kind: "settled", at, id: `T-tailtail-${count}` });

it("shows the last 256 records, oldest first, and counts all, announced ones included", () => {
  const journal = new TailJournal();
  const records = Array.from({ length: 600 }, (_, count) => settled(count));
  for (const record of records.slice(0, 100)) journal.record(record);
  expect(journal.last()).toEqual(records.slice(0, 100));
  expect(journal.announce(records.slice(100)).ok).toBe(true);
  expect(journal.count).toBe(600);
  expect(journal.last()).toEqual(records.slice(-256));
  expect(journal.last()[255]).toBe(records[599]);
});
