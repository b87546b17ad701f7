// Growth of equity over the run, time-weighted: what people paid in or out moves nothing.
// Formula: product over samples of ((equity - paid in since the sample before) / equity before) - 1

import { type Figure, finite } from "./basis/figure.ts";
import type { WorthSeries } from "./basis/worth-series.ts";

export function totalReturn({ growth, length }: WorthSeries): Figure<number> {
  return finite(length < 2 ? NaN : (growth[length - 1] as number) - 1, "needs at least 2 samples of equity");
}
