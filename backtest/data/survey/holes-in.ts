// Where recorded prices are missing for longer than they usually are. The last price before such a hole stands as long as
// prices usually do; from then until the next row nobody knows what it was.

import type { DataSource } from "../source.ts";
import { stepsOf } from "./gap-limit.ts";

export type HolesIn = {
  /** A step between two rows that is longer than this is a hole. */
  readonly limitMs: number;
  /** When each begins and ends, in order; its end is the time of the next row and no part of it. */
  readonly from: Float64Array;
  readonly to: Float64Array;
};

export function holesIn(source: DataSource): HolesIn {
  const { usualMs, medianMs, limitMs } = stepsOf(source);
  const stands = Math.max(1, usualMs);
  // So many rows mostly lie within the limit: then none of them needs a look of its own.
  const stride = Math.max(1, Math.floor(limitMs / Math.max(1, medianMs) / 2));
  const from: number[] = [];
  const to: number[] = [];
  const step = (last: number, next: number): void => {
    if (!(next - last > limitMs)) return;
    from.push(last + stands);
    to.push(next);
  };
  let last = Number.NaN;
  for (const { time, length } of source.chunks()) {
    step(last, time[0] as number);
    for (let row = 0; row < length - 1; row += stride) {
      const end = Math.min(row + stride, length - 1);
      if ((time[end] as number) - (time[row] as number) <= limitMs) continue;
      for (let one = row; one < end; one++) step(time[one] as number, time[one + 1] as number);
    }
    last = time[length - 1] as number;
  }
  return { limitMs, from: Float64Array.from(from), to: Float64Array.from(to) };
}
