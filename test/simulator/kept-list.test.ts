// A history that grows at one end: each row is told once, and the list is what telling all of it anew would be.

import { describe, expect, it } from "vitest";
import { keptList } from "../../src/simulator/core/kept-list.ts";

type Row = { readonly id: number };

function counting() {
  let calls = 0;
  const list = keptList((row: Row) => {
    calls++;
    return { told: row.id };
  });
  return { list, calls: () => calls };
}

const rows: readonly Row[] = Array.from({ length: 40 }, (_, id) => ({ id }));
const newestFirst = (to: number, count: number) => rows.slice(Math.max(0, to - count), to).reverse();
const oldestFirst = (to: number, count: number) => rows.slice(Math.max(0, to - count), to);

describe("a kept list", () => {
  it.each([
    ["newest first", newestFirst],
    ["oldest first", oldestFirst],
  ])("tells each row once and hands the same object over again, %s", (_, page) => {
    const { list, calls } = counting();
    const seen = new Map<Row, unknown>();
    for (const to of [0, 1, 1, 4, 5, 20, 21, 21, 40]) {
      const shown = page(to, 10);
      const told = list(shown);
      expect(told).toEqual(shown.map(({ id }) => ({ told: id })));
      shown.forEach((row, i) => {
        expect(seen.get(row) ?? told[i]).toBe(told[i]);
        seen.set(row, told[i]);
      });
    }
    expect(calls()).toBe(seen.size);
  });

  it("is right when rows in the middle are gone, come back or change places", () => {
    const { list } = counting();
    const pages = [
      newestFirst(10, 10),
      newestFirst(10, 10).filter(({ id }) => id !== 5),
      newestFirst(12, 10),
      [...oldestFirst(12, 4)],
      [],
    ];
    for (const page of [...pages, ...pages]) expect(list(page)).toEqual(page.map(({ id }) => ({ told: id })));
  });
});
