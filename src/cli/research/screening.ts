// `sweep --screen`: a strategy's kernel looks at many sets of parameters over columns of prices, and the best of them go
// to the bot. What the kernel says is a ranking to be compared with the bot's, and chooses nothing by itself.

import { availableParallelism } from "node:os";
import { bestOf, SCREENED, type Screened, screened } from "../../../backtest/search/screen.ts";
import { screenColumns } from "../../../backtest/search/screen-columns.ts";
import { inSample } from "../../../backtest/search/search-terms.ts";
import { choosingTrials } from "../../../backtest/search/sweep-plan.ts";
import type { Trial } from "../../../backtest/search/trial.ts";
import type { Shell } from "../../app/shell.ts";
import { plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import type { PlannedSweep, SearchFlags } from "./search.ts";

/** `values`: of the sets that are left, in their order. */
export type ScreenedSweep = PlannedSweep & { readonly screen?: { readonly sets: number; readonly values: Screened } };

/** The plan with the best sets alone; the same plan without `--screen`. */
export async function screenedPlan(
  shell: Shell,
  flags: SearchFlags & { readonly workers?: number },
  planned: PlannedSweep,
  signal: AbortSignal,
): Promise<ScreenedSweep> {
  const { plan, base } = planned;
  const why = unscreened(flags, planned);
  if (why !== undefined) throw usageFailure(why);
  if (flags.screen === undefined || flags.then === undefined) return planned;
  const { objective, points } = plan;
  const use = base.ground.strategies[0]?.path ?? base.options.strategy.name;
  const sets = points.map((point) => (choosingTrials(plan, point)[0] as Trial).params);
  const threads = flags.workers ?? availableParallelism();
  let values: Screened = sets.map(() => 0);
  for (const { seed, from, to } of inSample(plan.base, plan.split)) {
    shell.terminal.note(`screen: ${sets.length} sets over the prices of seed ${seed}`);
    const columns = screenColumns({ ...base.options, seed, from, to });
    const found = await screened({ columns, use, sets }, objective, { threads, signal }).catch((error: unknown) => {
      throw plainFailure(errorMessage(error));
    });
    // Their order is that of the means.
    values = values.map((sum, place) => (sum === null || found[place] == null ? null : sum + found[place]));
  }
  const best = bestOf(objective, values, flags.then);
  return {
    ...planned,
    plan: { ...plan, points: best.map((place) => points[place] as (typeof points)[number]) },
    screen: { sets: sets.length, values: best.map((place) => values[place] ?? null) },
  };
}

/** Why there can be no screen. */
function unscreened({ screen, then, runs }: SearchFlags, { plan, base }: PlannedSweep): string | undefined {
  const { strategy, market } = base.options;
  if (screen === undefined) return then === undefined ? undefined : "--then needs --screen";
  if (then === undefined) return "a kernel alone chooses nothing: --then 20 runs the best 20 through the bot";
  if (runs !== undefined) return "--screen says how many sets there are: leave --runs out";
  if (!SCREENED.includes(plan.objective)) return `--screen needs --objective ${SCREENED.join(" or ")}`;
  if (plan.axes.some(({ target, name }) => target === "market" || name === "symbols"))
    return "--screen has one market and its pairs: search other parameters of the strategy";
  if (strategy.definition.screen === undefined)
    return `--screen needs a strategy that exports screen(columns, params), which ${strategy.name} does not`;
  return market.venue.quotesShown ? undefined : "--screen needs a venue that shows quotes";
}
