// What every run of a search has in common, for other programs: with it and the values of a row each of them can be made alone.

import { assumptionsOf } from "../../../../backtest/assumption.ts";
import type { BacktestOptions } from "../../../../backtest/options.ts";
import type { Trial } from "../../../../backtest/search/trial.ts";

/** `base` has the parameters that are not searched; `options` are those of the backtest that every run is one of. */
export function searchSettings({ params, data, seed, from, to, terms }: Trial, options: BacktestOptions): object {
  const { strategy, codeVersion } = options;
  return {
    strategy: strategy.name,
    params,
    data,
    seed,
    from,
    to,
    terms,
    assumptions: assumptionsOf(options),
    codeVersion,
  };
}
