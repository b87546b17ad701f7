import { expect, test } from "vitest";
import { RowCursor } from "../../../backtest/replay/feed.ts";

test("chunks without a row are passed over, and times with a part of a millisecond are refused", () => {
  const chunk = (...time: number[]) => ({ length: time.length, time: Float64Array.from(time) });
  const cursor = new RowCursor([chunk(), chunk(), chunk(5), chunk(), chunk(7), chunk()]);
  const seen: number[] = [];
  for (; cursor.chunk !== undefined; cursor.leave(0)) seen.push(cursor.time);
  expect([seen, cursor.time]).toEqual([[5, 7], Number.POSITIVE_INFINITY]);
  for (const time of [5.5, Number.NaN]) expect(() => new RowCursor([chunk(5, time)])).toThrow("whole milliseconds");
});
