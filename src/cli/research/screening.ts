// `sweep --screen`: a strategy's kernel looks at many sets of parameters over columns of prices, and the best of them go
// to the bot. What the kernel says is a ranking to be compared with the bot's, and chooses nothing by itself.

import { availableParallelism } from "node:os";
import { agreementOf, type RankedRow } from "../../../backtest/search/ranking.ts";
import { bestOf, SCREENED, type Screened, screened } from "../../../backtest/search/screen.ts";
import { screenColumns, symbolsOf } from "../../../backtest/search/screen-columns.ts";
import { inSample } from "../../../backtest/search/search-terms.ts";
import { choosingTrials } from "../../../backtest/search/sweep-plan.ts";
import type { Trial } from "../../../backtest/search/trial.ts";
import { loadDefinition } from "../../app/bot/load-strategy.ts";
import type { Shell } from "../../app/shell.ts";
import { orFail, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { DAY_MS } from "../../domain/time.ts";
import { configOf, strategyNamed } from "./plan.ts";
import type { PlannedSweep, SearchFlags } from "./search.ts";

export type ScreenedSweep = PlannedSweep & {
  /** `values`: of the sets that are left, in their order. */
  readonly screen?: { readonly sets: number; readonly values: Screened };
};

/** The plan with the best sets alone; the same plan without `--screen`. */
export async function screenedPlan(
  shell: Shell,
  flags: SearchFlags & { readonly workers?: number },
  planned: PlannedSweep,
  signal: AbortSignal,
): Promise<ScreenedSweep> {
  if (flags.screen === undefined || flags.then === undefined) return planned;
  const { plan, base } = planned;
  const { objective, points } = plan;
  const { use } = strategyNamed(flags, await configOf(shell));
  const definition = orFail(await loadDefinition(use)) as { readonly screen?: unknown };
  if (definition.screen === undefined)
    throw usageFailure(`--screen needs a strategy that exports screen(columns, params), which ${use} does not`);
  if (!base.options.market.venue.quotesShown) throw usageFailure("--screen needs a venue that shows quotes");
  const sets = points.map((point) => (choosingTrials(plan, point)[0] as Trial).params);
  const symbols = plan.axes.some(({ name }) => name === "symbols") ? undefined : symbolsOf(base.options);
  const threads = flags.workers ?? availableParallelism();
  const parts = inSample(plan.base, plan.split);
  const found: Screened[] = [];
  try {
    for (const { seed, from, to } of parts) {
      const days = ((to - from) / DAY_MS).toFixed(1);
      shell.terminal.note(`screen: prices of ${days} days, seed ${seed}, then ${points.length} sets over them`);
      const columns = screenColumns({ ...base.options, seed, from, to }, symbols);
      found.push(await screened({ columns, use, sets }, objective, { threads, signal }));
    }
  } catch (error) {
    throw plainFailure(errorMessage(error));
  }
  const values = points.map((_, place) => {
    const own = found.map((part) => part[place] ?? Number.NaN);
    const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
    return Number.isNaN(mean) ? null : mean;
  });
  const best = bestOf(objective, values, flags.then);
  return {
    ...planned,
    plan: { ...plan, points: best.map((place) => points[place] as (typeof points)[number]) },
    screen: { sets: points.length, values: best.map((place) => values[place] ?? null) },
  };
}

/** What a kernel says of the objective, and of the account that it keeps, is less than what the bot does. */
export function requireScreen({ screen, then, runs, objective, market }: SearchFlags): void {
  if (screen === undefined && then === undefined) return;
  if (screen === undefined) throw usageFailure("--then needs --screen");
  if (then === undefined)
    throw usageFailure("a kernel alone chooses nothing: --then 20 runs the best 20 through the bot");
  if (runs !== undefined) throw usageFailure("--screen says how many sets there are: leave --runs out");
  if (!SCREENED.includes(objective)) throw usageFailure(`--screen needs --objective ${SCREENED.join(" or ")}`);
  if (market.some((setting) => /,|\.\./.test(setting)))
    throw usageFailure("--screen searches parameters of the strategy: the market must be one");
}

/** How far the rankings of kernel and bot agree, in-sample. */
export function screenAgreement({ plan, screen }: ScreenedSweep, rows: readonly RankedRow[]): number | undefined {
  if (screen === undefined) return undefined;
  return agreementOf(
    plan.objective,
    rows.map(({ index, inSample: own }) => [screen.values[index] ?? null, own]),
  );
}
