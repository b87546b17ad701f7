// What an account has done as it is read again and again: each row is told once, a page is the same one until something
// is added or published, and it is always what telling all of it anew would be.

import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/domain/random.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { History, type HistoryTerms } from "../../src/simulator/core/history.ts";

type Row = { readonly id: number; readonly publishedAt: Millis };

const ORDERS = ["newest-first", "oldest-first"] as const;

function historyOf(terms: HistoryTerms, rows: readonly Row[] = []) {
  let calls = 0;
  const tell = ({ id }: Row) => {
    calls++;
    return { told: id };
  };
  return { history: new History(terms, tell, rows), calls: () => calls };
}

/** By the definition, from all rows that ever were. */
function pageOf(rows: readonly Row[], terms: HistoryTerms, at: number): readonly { told: number }[] {
  const { historyOrder, historyPageMax, historyRetainedMax } = terms;
  const page = rows
    .slice(-historyRetainedMax)
    .filter(({ publishedAt }) => publishedAt <= at)
    .slice(-historyPageMax)
    .map(({ id }) => ({ told: id }));
  return historyOrder === "newest-first" ? page.reverse() : page;
}

describe("a history", () => {
  it.each(ORDERS)("hands the same objects over again, and the same page when nothing was added, %s", (historyOrder) => {
    const { history, calls } = historyOf({ historyOrder, historyPageMax: 10, historyRetainedMax: 15 });
    const seen = new Map<number, unknown>();
    for (let id = 0; id < 100; id++) {
      history.add({ id, publishedAt: millis(id) });
      const page = history.page(millis(id));
      expect(history.page(millis(id + 5))).toBe(page);
      for (const row of page) {
        expect(seen.get(row.told) ?? row).toBe(row);
        seen.set(row.told, row);
      }
    }
    expect(calls()).toBe(100);
  });

  it.each(ORDERS)("shows what is published, however late and in whatever order it comes, %s", (historyOrder) => {
    const seed = 20_261_115;
    const random = createRandom(seed);
    for (const [historyPageMax, historyRetainedMax] of [
      [4, 9],
      [9, 4],
      [100, 100],
    ] as const) {
      const terms = { historyOrder, historyPageMax, historyRetainedMax };
      const rows: Row[] = [];
      const { history } = historyOf(terms);
      for (let at = 0; at < 300; at++) {
        if (random.next() < 0.5) {
          const row = { id: at, publishedAt: millis(at + (random.next() < 0.5 ? 0 : random.integer(1, 20))) };
          rows.push(row);
          history.add(row);
        }
        expect(history.page(millis(at)), `seed ${seed} at ${at}`).toEqual(pageOf(rows, terms, at));
      }
    }
  });

  it("goes on from its saved rows", () => {
    const terms = { historyOrder: "newest-first", historyPageMax: 3, historyRetainedMax: 5 } as const;
    const rows = [1, 2, 3].map((id) => ({ id, publishedAt: millis(id * 10) }));
    const { history } = historyOf(terms, rows);
    expect(history.page(millis(20))).toEqual([{ told: 2 }, { told: 1 }]);
    history.add({ id: 4, publishedAt: millis(25) });
    expect(history.page(millis(30))).toEqual([{ told: 4 }, { told: 3 }, { told: 2 }]);
    expect(history.rows.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(rows).toHaveLength(3);
  });
});
