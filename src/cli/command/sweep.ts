// `sweep`: many backtests over parameters, on all cores; finished runs are stored, and the same command continues from
// there.

import { availableParallelism } from "node:os";
import { type Command, Option } from "commander";
import { cautionsOf } from "../../../backtest/caution.ts";
import { notAvailable } from "../../../backtest/metric/figure.ts";
import { worthSeries } from "../../../backtest/metric/worth.ts";
import type { RunRecord } from "../../../backtest/record/run-record.ts";
import { ownWaysTexts } from "../../../backtest/report/run-text.ts";
import { type Sweep, sweepReport } from "../../../backtest/report/sweep-report.ts";
import { overfitting } from "../../../backtest/search/overfit.ts";
import {
  agreementOf,
  chosenInSample,
  faultIn,
  type RankedRow,
  rankedRows,
  type Spans,
  tooShortText,
} from "../../../backtest/search/ranking.ts";
import { bestOf, SCREENED, type Screened, screened } from "../../../backtest/search/screen.ts";
import { screenColumns } from "../../../backtest/search/screen-columns.ts";
import { inSample, outOfSample, parseSeeds, parseSplit, type Split } from "../../../backtest/search/search-terms.ts";
import { overHolding, superiority } from "../../../backtest/search/superior.ts";
import { bestInSample, type Explored, runSweep, runsOf } from "../../../backtest/search/sweep.ts";
import { choosingTrials, judgingTrials, type SweepPlan, specificationOf } from "../../../backtest/search/sweep-plan.ts";
import type { Trial } from "../../../backtest/search/trial.ts";
import { repeated, type TrialResult } from "../../../backtest/search/trial-result.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { parsed, wholeNumber } from "../option/values.ts";
import { declarePlan } from "../research/plan.ts";
import { conclude, requireSearchPlaces, runSearch, type SearchPlaces } from "../research/runner.ts";
import {
  declareSearch,
  leftOutText,
  type PlannedSweep,
  type SearchFlags,
  searchSettings,
  sweepPlan,
} from "../research/search.ts";

const SPLIT = { kind: "time", share: 0.3 } as const satisfies Split;

export function defineSweep(command: Command, run: Run): void {
  declareSearch(declarePlan(command), "sweep")
    .addOption(
      new Option("--out-of-sample <what>", "the last part of the time, or other seeds (seeds:3)")
        .argParser(parsed(parseSplit))
        .default(SPLIT, String(SPLIT.share)),
    )
    .addOption(
      new Option("--in-sample <seeds>", "so many seeds choose (seeds:20), where others judge").argParser(
        parsed(parseSeeds),
      ),
    )
    .option("--screen <n>", "sets that the strategy's kernel looks at, over columns of prices", wholeNumber(2, 100_000))
    .option("--then <n>", "the best of them that the bot runs", wholeNumber(2, 100_000))
    .action((flags: SweepFlags) => run((shell) => sweep(shell, flags)));
}

type SweepFlags = SearchFlags & SearchPlaces;

async function sweep(shell: Shell, flags: SweepFlags): Promise<ExitCode> {
  requireSearchPlaces(flags);
  const signal = shell.stopSignal();
  const planned = await screenedPlan(shell, flags, await sweepPlan(shell, flags), signal);
  const { plan, base, leftOut, screen: kernel } = planned;
  const short = tooShortText(plan.objective, spansOf(plan));
  if (short !== undefined) throw usageFailure(short);
  return runSearch(shell, flags, signal, {
    ...{ what: "sweep", base, total: runsOf(plan) },
    specification: (code) => specificationOf(plan, code),
    explore: (parts) => runSweep(plan, parts),
    async finish(explored) {
      const rows = rankedRows(plan, explored);
      const record = await judgedAgain(planned, explored);
      const chosenBy = explored.map(({ inSample }) => inSample);
      const superior = superiority(chosenBy, plan.base.seed);
      const overfit =
        plan.base.data.length > 0
          ? overfitting(chosenBy.map(([run]) => overHolding(run as TrialResult)))
          : notAvailable("other seeds of a synthetic market judge better");
      const found: Sweep = {
        ...{ plan, options: base.options, rows, superior, overfit },
        series: record && worthSeries(record),
        screen: kernel && { sets: kernel.sets, agreement: agreementOf(plan.objective, rankings(kernel.values, rows)) },
        cautions: [...(record === undefined ? [] : ownWaysTexts(record)), ...cautionsOf(base.options)],
        leftOut: leftOut.length === 0 ? undefined : `${leftOut.length} that are refused: ${leftOutText(leftOut)}`,
      };
      const { objective, search } = plan;
      const currency = String(plan.base.limits.currency);
      const settings = { ...searchSettings(plan.base, base.options), ...partsOf(plan) };
      const { cautions, screen } = found;
      const shown = { objective, currency, search, settings, cautions, screen, superior, overfit, leftOut, rows };
      return codeOf(
        plan,
        rows,
        conclude(shell, flags, sweepReport(found), () => shown),
      );
    },
  });
}

/** Of kernel and bot. */
function rankings(values: Screened, rows: readonly RankedRow[]): Parameters<typeof agreementOf>[1] {
  return rows.map(({ index, inSample: own }) => [values[index] ?? null, own]);
}

function spansOf(plan: SweepPlan): Spans {
  const { base, split } = plan;
  const [choosing, judging] = [inSample(base, split), outOfSample(base, split)];
  const [inSampleMs, outOfSampleMs] = [choosing, judging].map((parts) =>
    Math.min(...parts.map(({ from, to }) => to - from)),
  );
  return { inSampleMs: inSampleMs as number, outOfSampleMs: outOfSampleMs as number };
}

/** The run that judges the choice, once more for its whole record; undefined where nothing was chosen or judged. */
async function judgedAgain(
  { plan, base }: PlannedSweep,
  explored: readonly Explored[],
): Promise<RunRecord | undefined> {
  const chosen = bestInSample(plan.objective, explored);
  const judge = chosen?.outOfSample[0];
  if (chosen === undefined || judge?.kind !== "ran") return undefined;
  const [trial] = judgingTrials(plan, chosen.point);
  const again = await repeated(trial as Trial, judge, base.ground);
  if (!again.ok) throw plainFailure(again.error);
  return again.value.record;
}

/** If the chosen set failed, or failures left none to choose, there is no result, as in a halted backtest. */
function codeOf({ objective }: SweepPlan, rows: readonly RankedRow[], told: ExitCode): ExitCode {
  if (told !== exitCode.done) return told;
  const chosen = chosenInSample(objective, rows);
  const looked = chosen === undefined ? rows.map((row) => row.chosen) : [chosen.judged];
  return looked.some((side) => faultIn(side) !== undefined) ? exitCode.halted : exitCode.done;
}

/** The runs that choose, and the runs that judge. */
function partsOf({ base, split }: SweepPlan): object {
  const { seed, from, to } = base;
  const whole = { seed, from, to };
  const choosing = inSample(whole, split);
  return { inSample: choosing.length === 1 ? choosing[0] : choosing, outOfSample: outOfSample(whole, split) };
}

// `--screen`: a strategy's kernel looks at many sets of parameters over columns of prices, and the best of them go to the
// bot. What the kernel says is a ranking to be compared with the bot's, and chooses nothing by itself.

/** `values`: of the sets that are left, in their order. */
type ScreenedSweep = PlannedSweep & { readonly screen?: { readonly sets: number; readonly values: Screened } };

/** The plan with the best sets alone; the same plan without `--screen`. */
async function screenedPlan(
  shell: Shell,
  flags: SweepFlags,
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
