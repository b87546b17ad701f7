import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { RowCursor } from "../../../backtest/replay/feed.ts";

const times = fc.array(fc.nat(60), { minLength: 1, maxLength: 40 }).map((all) => all.toSorted((a, b) => a - b));

property.prop([times, fc.nat(39), fc.integer({ min: -1, max: 62 }), fc.integer({ min: 1, max: 45 })])(
  "the rows before a time are those that counting from the next one finds, and no more than are asked for",
  (all, row, time, most) => {
    const cursor = new RowCursor([{ length: all.length, time: Float64Array.from(all) }]);
    if (row > 0 && row < all.length) cursor.leave(row - 1);
    const from = cursor.row;
    let end = from;
    while (end < Math.min(from + most, all.length) && (all[end] as number) < time) end++;
    expect(cursor.endBefore(time, most)).toBe(end);
    expect(cursor.time).toBe(all[from]);
  },
);

test("chunks without a row are passed over, and times with a part of a millisecond are refused", () => {
  const chunk = (...time: number[]) => ({ length: time.length, time: Float64Array.from(time) });
  const cursor = new RowCursor([chunk(), chunk(), chunk(5), chunk(), chunk(7), chunk()]);
  const seen: number[] = [];
  for (; cursor.chunk !== undefined; cursor.leave(0)) seen.push(cursor.time);
  expect([seen, cursor.time, cursor.reached]).toEqual([[5, 7], Number.POSITIVE_INFINITY, 7]);
  for (const time of [5.5, Number.NaN]) expect(() => new RowCursor([chunk(5, time)])).toThrow("whole milliseconds");
});
