// The memory of the page: what a chart shows after a restart, and how much it may hold.

import { statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHistory } from "../../../src/watch/dashboard/history.ts";
import { temporaryFolder } from "../../journal/place.ts";

const T0 = Date.UTC(2026, 10, 15);
const HOUR = 3_600_000;

test("rows survive a restart, to the millisecond and the digit, and so does the base of the day", () => {
  const path = join(temporaryFolder(), "p.page");
  const first = openHistory(path, ["trading", "x"]);
  for (let second = 0; second < 10; second++) first.add(T0 + second * 1_000, [second / 3, undefined]);
  first.keepBase({ day: 20_772, trading: "1.5", fx: "-2" });
  first.close();
  const again = openHistory(path, ["trading", "x"]);
  expect(again.first).toBe(T0);
  expect(again.base).toEqual({ day: 20_772, trading: "1.5", fx: "-2" });
  const { time, columns } = again.rows(T0 + 5_000, T0 + HOUR, ["trading", "x", "other"], 100);
  expect(time).toEqual([5, 6, 7, 8, 9].map((second) => T0 / 1_000 + second));
  expect(columns[0]?.[0]).toBe(1.666666667);
  expect(columns.slice(1).flat()).toEqual(Array(10).fill(null));
  again.close();
  // Other columns begin it anew.
  const other = openHistory(path, ["trading"]);
  expect(other.first).toBe(Number.POSITIVE_INFINITY);
  other.close();
});

test("it is bounded: a second for an hour, 15 s for a day, 5 min for 90 days, and the finest that reaches back is shown", () => {
  const path = join(temporaryFolder(), "p.page");
  const history = openHistory(path, ["x"]);
  const bytes = statSync(path).size;
  for (let at = T0; at <= T0 + 3 * HOUR; at += 1_000) history.add(at, [1]);
  // A clock that was set back writes nothing.
  history.add(T0, [2]);
  expect(statSync(path).size).toBe(bytes);
  const rows = (ms: number) => history.rows(T0 + 3 * HOUR - ms, T0 + 3 * HOUR, ["x"], 10_000).time;
  expect(rows(HOUR / 2)).toHaveLength(1_801);
  expect(rows(2 * HOUR)).toHaveLength(481);
  expect(rows(48 * HOUR)).toHaveLength(37);
  expect(history.rows(T0, T0 + 3 * HOUR, ["x"], 100).time.length).toBeLessThanOrEqual(101);
  history.close();
});

test.each([
  ["empty", (path: string) => writeFileSync(path, "")],
  ["short", (path: string) => truncateSync(path, statSync(path).size - 100)],
])("a file that is %s begins anew, and older rows can be put into it after the first new one", (_, damage) => {
  const path = join(temporaryFolder(), "p.page");
  const before = openHistory(path, ["x"]);
  for (let second = 0; second < 10; second++) before.add(T0 + second * 1_000, [1]);
  before.keepBase({ day: 20_772, trading: "1.5", fx: "-2" });
  before.close();
  damage(path);
  const history = openHistory(path, ["x"]);
  expect([history.first, history.base]).toEqual([Number.POSITIVE_INFINITY, undefined]);
  history.add(T0 + 20_000, [5]);
  for (const at of [T0, T0 + 1_000, T0 + 1_500]) history.add(at, [4]);
  history.close();
  const again = openHistory(path, ["x"]);
  expect(again.rows(T0, T0 + HOUR, ["x"], 800)).toEqual({
    time: [T0, T0 + 1_000, T0 + 20_000].map((at) => at / 1_000),
    columns: [[4, 4, 5]],
  });
  again.close();
});
