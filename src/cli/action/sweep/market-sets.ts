// Which parameter sets of a search come to a market at all: some of its parameters depend on each other, as those of a strategy may.

import { setParameters } from "../../../../backtest/data/parameter-setting.ts";
import type { Axis, Point } from "../../../../backtest/search/parameter-space.ts";
import { DEFAULT_MARKET } from "../../../simulator/market/parameters.ts";
import type { UnmetHoldings } from "./left-out.ts";

type Sets = { readonly points: readonly Point[]; readonly noMarket: readonly UnmetHoldings[] };

/** All of them where none does: the first that is made says what is wrong with it. */
export function marketSets(points: readonly Point[], axes: readonly Axis[], fixed: readonly string[]): Sets {
  const noMarket: UnmetHoldings[] = [];
  const made = points.filter((point) => {
    const own = marketSettings(axes, point);
    const set = setParameters(DEFAULT_MARKET, [...fixed, ...own]);
    if (!set.ok) noMarket.push({ set: own.join(" "), reason: set.error });
    return set.ok;
  });
  return made.length === 0 ? { points, noMarket: [] } : { points: made, noMarket };
}

/** `stress.minBps=20`, as a command line has it. */
export function marketSettings(axes: readonly Axis[], point: Point): readonly string[] {
  return axes.flatMap(({ target, name }, place) => (target === "market" ? [`${name}=${point[place]}`] : []));
}
