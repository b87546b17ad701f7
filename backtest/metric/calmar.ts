// Growth a year for the deepest fall. Hidden under 30 days, as growth a year is.
// Formula: CAGR / deepest drawdown

import { type Figure, known, mapFigure } from "./basis/figure.ts";
import type { WorthSeries } from "./basis/worth-series.ts";
import { cagr } from "./cagr.ts";
import { drawdown } from "./drawdown.ts";

export function calmar(series: WorthSeries): Figure<number> {
  return mapFigure(cagr(series), (growth) => mapFigure(drawdown(series), ({ size }) => known(growth / size)));
}
