// The outline of a price over time: lowest and highest per column of a plot.

import type { DataSource } from "../source.ts";

export type Sketch = {
  /** NaN where there is no row. */
  readonly low: Float64Array;
  readonly high: Float64Array;
};

export function sketch(source: DataSource, width: number): Sketch {
  const low = new Float64Array(width).fill(Number.NaN);
  const high = new Float64Array(width).fill(Number.NaN);
  const span = Math.max(1, source.lastAt - source.firstAt);
  const put = (time: number, bottom: number, top: number): void => {
    const at = Math.min(width - 1, Math.floor(((time - source.firstAt) / span) * width));
    if (!(bottom >= (low[at] as number))) low[at] = bottom;
    if (!(top <= (high[at] as number))) high[at] = top;
  };
  if (source.kind === "quotes")
    for (const { length, time, bid, ask } of source.chunks())
      for (let i = 0; i < length; i++) {
        const mid = ((bid[i] as number) + (ask[i] as number)) / 2;
        put(time[i] as number, mid, mid);
      }
  else
    for (const { length, time, high: highs, low: lows } of source.chunks())
      for (let i = 0; i < length; i++) put(time[i] as number, lows[i] as number, highs[i] as number);
  return { low, high };
}
