// Growth a year at the run's pace. Hidden under 30 days: a good week is not a good year.
// Formula: (1 + total return) ^ (365.25 days / time since the books opened) - 1

import { DAY_MS } from "../../src/domain/time.ts";
import { enough, type Figure, finite, mapFigure, notAvailable } from "./basis/figure.ts";
import type { WorthSeries } from "./basis/worth-series.ts";
import { totalReturn } from "./total-return.ts";

const DAYS_MIN = 30;

export function cagr(series: WorthSeries): Figure<number> {
  const { time, length } = series;
  const days = length < 2 ? 0 : ((time[length - 1] as number) - (time[0] as number)) / DAY_MS;
  const short = enough(Math.floor(days), "days", DAYS_MIN);
  if (short !== undefined) return short;
  return mapFigure(totalReturn(series), (total) =>
    total <= -1
      ? notAvailable("everything was lost")
      : finite((1 + total) ** (365.25 / days) - 1, "is beyond any number"),
  );
}
