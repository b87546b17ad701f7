import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/domain/random.ts";
import { ShownRows } from "../../../src/execution/history/shown-rows.ts";

type Row = { readonly n: number };

const row = (n: number): Row => ({ n });

/** What is looked at in this answer; all of it agrees but what `differs` says. */
function looked(shown: ShownRows<Row>, rows: readonly Row[], differs: (row: Row) => boolean = () => false): number[] {
  const seen: number[] = [];
  const open: Row[] = [];
  shown.begin(rows);
  for (let i = shown.from(0, rows); i < rows.length; i = shown.from(i + 1, rows)) {
    const one = rows[i] as Row;
    seen.push(one.n);
    if (differs(one)) open.push(one);
  }
  shown.end(rows, open);
  return seen;
}

describe("rows of history that agreed before", () => {
  test("are not looked at again, whichever end the new ones come at", () => {
    const [a, b, c, d] = [row(1), row(2), row(3), row(4)];
    const shown = new ShownRows<Row>();
    expect(looked(shown, [a, b])).toEqual([1, 2]);
    expect(looked(shown, [a, b, c])).toEqual([3]);
    expect(looked(shown, [b, c, d])).toEqual([4]);
    const newest = new ShownRows<Row>();
    expect(looked(newest, [b, a])).toEqual([2, 1]);
    expect(looked(newest, [d, c, b, a])).toEqual([4, 3]);
  });

  test("are looked at when they are other objects: a distant venue says the same in new words each time", () => {
    const shown = new ShownRows<Row>();
    expect(looked(shown, [row(1), row(2)])).toEqual([1, 2]);
    expect(looked(shown, [row(1), row(2)])).toEqual([1, 2]);
  });

  test("do not hide a row that is published late and stands among them", () => {
    const [a, b, c] = [row(1), row(2), row(3)];
    const shown = new ShownRows<Row>();
    looked(shown, [a, c]);
    expect(looked(shown, [a, b, c])).toContain(2);
    expect(looked(shown, [a, b, c])).toEqual([]);
  });

  test("do not hide a row that differs, as long as it does", () => {
    const [a, b] = [row(1), row(2)];
    const shown = new ShownRows<Row>();
    expect(looked(shown, [a, b], (one) => one === a)).toEqual([1, 2]);
    expect(looked(shown, [a, b], (one) => one === a)).toEqual([1]);
    expect(looked(shown, [a, b])).toEqual([1]);
    expect(looked(shown, [a, b])).toEqual([]);
  });

  test("do not hide what was added to the very list that was shown before", () => {
    const list = [row(1)];
    const shown = new ShownRows<Row>();
    looked(shown, list);
    list.push(row(2));
    expect(looked(shown, list)).toEqual([2]);
  });

  test("are those of answers that were dealt with: after an error all are looked at", () => {
    const [a, b, c] = [row(1), row(2), row(3)];
    const shown = new ShownRows<Row>();
    const fail = (one: Row): boolean => {
      if (one === b) throw new Error("a bug");
      return false;
    };
    expect(() => looked(shown, [a, b, c], fail)).toThrow("a bug");
    expect(looked(shown, [a, b, c])).toEqual([1, 2, 3]);
    expect(() => looked(shown, [a, row(4), b, c], () => fail(b))).toThrow("a bug");
    expect(looked(shown, [a, b, c])).toEqual([]);
  });

  test("in random histories nothing is passed over that was not seen to agree in the answer before", () => {
    const seed = 20_261_115;
    const random = createRandom(seed);
    const shown = new ShownRows<Row>();
    const all: Row[] = [];
    let agreed = new Set<Row>();
    for (let turn = 0; turn < 3_000; turn++) {
      if (random.next() < 0.7) all.splice(Math.floor(all.length * (1 - random.next() ** 6)), 0, row(turn));
      const page = all.slice(Math.max(0, all.length - 1 - Math.floor(random.next() * 12)));
      const rows = random.next() < 0.1 ? page.reverse() : page;
      const seen = new Set(looked(shown, rows, ({ n }) => n % 7 === turn % 7));
      for (const one of rows)
        if (!seen.has(one.n)) expect(agreed.has(one), `row ${one.n} in turn ${turn}, seed ${seed}`).toBe(true);
      agreed = new Set(rows.filter((one) => one.n % 7 !== turn % 7 || !seen.has(one.n)));
    }
  });
});
