// The journal of a backtest keeps the last records as they are, and counts all of them.

import { expect, it } from "vitest";
import { TailJournal } from "../../../backtest/replay/tail-journal.ts";
import type { JournalRecord } from "../../../src/journal/record.ts";
import { at } from "../../journal/samples.ts";

const settled = (count: number): JournalRecord => ({ kind: "settled", at, id: `T-tailtail-${count}` });

it("shows the records of the last 128 announcements, oldest first, and counts all", () => {
  const journal = new TailJournal();
  const records = Array.from({ length: 600 }, (_, count) => settled(count));
  for (let i = 0; i < 200; i += 2) expect(journal.announce(records.slice(i, i + 2)).ok).toBe(true);
  expect(journal.last()).toEqual(records.slice(0, 200));
  for (let i = 200; i < 600; i += 2) journal.announce(records.slice(i, i + 2));
  expect(journal.count).toBe(600);
  expect(journal.last()).toEqual(records.slice(-256));
  expect(journal.last()[255]).toBe(records[599]);
});
