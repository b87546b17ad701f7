// What an account has done as it is read again and again: a row is one object, a page is the same one until something is added
// or published, and it is always what would be made of all rows anew.

import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/domain/random.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { History, type HistoryTerms } from "../../src/simulator/core/history.ts";

type Row = { readonly id: number; readonly publishedAt: Millis };

const ORDERS = ["newest-first", "oldest-first"] as const;

/** By the definition, from all rows that ever were. */
function pageOf(rows: readonly Row[], terms: HistoryTerms, at: number): readonly Row[] {
  const { historyOrder, historyPageMax, historyRetainedMax } = terms;
  const page = rows
    .slice(-historyRetainedMax)
    .filter(({ publishedAt }) => publishedAt <= at)
    .slice(-historyPageMax);
  return historyOrder === "newest-first" ? page.reverse() : page;
}

describe("a history", () => {
  it.each(ORDERS)("hands the same objects over again, and the same page when nothing was added, %s", (historyOrder) => {
    const history = new History<Row>({ historyOrder, historyPageMax: 10, historyRetainedMax: 15 }, []);
    const rows: Row[] = [];
    for (let id = 0; id < 100; id++) {
      rows.push({ id, publishedAt: millis(id) });
      history.add(rows[id] as Row);
      const page = history.page(millis(id));
      expect(history.page(millis(id + 5))).toBe(page);
      for (const row of page) expect(rows[row.id]).toBe(row);
    }
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
      const history = new History<Row>(terms, []);
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
    const history = new History<Row>(terms, rows);
    const idsAt = (at: number) => history.page(millis(at)).map(({ id }) => id);
    expect(idsAt(20)).toEqual([2, 1]);
    history.add({ id: 4, publishedAt: millis(25) });
    expect(idsAt(30)).toEqual([4, 3, 2]);
    expect(history.rows.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(rows).toHaveLength(3);
  });
});
