// What the page of a search is made from.

import { assumptionsOf } from "../../../../backtest/assumption.ts";
import type { SweepPage } from "../../../../backtest/report/render-sweep.ts";
import { valueText } from "../../../../backtest/search/ranking.ts";
import { runsOf } from "../../../../backtest/search/sweep.ts";
import { versionText } from "../../version.ts";
import { leftOutText, type UnmetHoldings } from "./left-out.ts";
import type { PlannedSweep } from "./plan.ts";

type Found = Pick<SweepPage, "rows" | "checks" | "judge" | "cautions">;

/** `options` are those of the backtest that every run is one of, with the first of the searched values. */
export function sweepPage(
  { plan, base: { options }, leftOut, noMarket }: PlannedSweep,
  { rows, checks, judge, cautions }: Found,
): SweepPage {
  const { base, axes } = plan;
  const choice = ({ choice: own }: (typeof axes)[number]): string =>
    own.kind === "list" ? own.values.map(valueText).join(", ") : `${own.from} to ${own.to}, ${own.scale}`;
  return {
    title: `Sweep of ${options.strategy.name} over ${axes.map(({ name }) => name).join(", ")}`,
    plan,
    rows,
    runs: runsOf(plan),
    checks,
    judge,
    cautions,
    settings: [
      ...axes.map((axis) => ({ name: `${axis.target} ${axis.name}`, value: choice(axis) })),
      { name: "search", value: plan.search },
      ...setsLeftOut("strategy", leftOut),
      ...setsLeftOut("market", noMarket),
      { name: "objective", value: plan.objective },
      { name: "currency of amounts", value: String(base.limits.currency) },
      { name: "seed", value: String(base.seed) },
      {
        name: "data",
        value:
          base.data.map(({ name, role, digest }) => `${name} as ${role}, columns ${digest.slice(0, 12)}`).join("; ") ||
          "synthetic",
      },
      ...Object.entries(base.params).map(([name, value]) => ({ name: `parameter ${name}`, value: valueText(value) })),
      ...assumptionsOf(options),
    ],
    codeVersion: versionText(),
  };
}

function setsLeftOut(by: "strategy" | "market", sets: readonly UnmetHoldings[]): SweepPage["settings"] {
  if (sets.length === 0) return [];
  return [{ name: "sets left out", value: `${sets.length} that the ${by} refuses: ${leftOutText(sets)}` }];
}
