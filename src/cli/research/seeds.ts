// `backtest --seeds N`: the run over N seeds, and over the same seeds in a market without its edge, on all cores.

import { availableParallelism } from "node:os";
import type { SeedRuns } from "../../../backtest/report/seed-parts.ts";
import { openPool, runTrials } from "../../../backtest/search/pool.ts";
import type { RanTrial } from "../../../backtest/search/trial-result.ts";
import type { Shell } from "../../app/shell.ts";
import { callMsMax } from "../../app/system/time-scale.ts";
import { openProgress } from "../../app/terminal/progress.ts";
import { plainFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { withoutEdge } from "../../simulator/market/parameters.ts";
import type { BaseTrial } from "./search.ts";

export async function overSeeds(
  { terminal, clock }: Shell,
  { trial, ground }: BaseTrial,
  count: number,
): Promise<SeedRuns> {
  const seeded = Array.from({ length: count }, (_, place) => ({ ...trial, seed: trial.seed + place }));
  const trials = [...seeded, ...seeded.map((one) => ({ ...one, market: withoutEdge(one.market) }))];
  const rateText = (perSecond: number): string => `${perSecond.toPrecision(2)} runs/s`;
  const progress = openProgress(terminal, clock, { what: "seeds", total: trials.length, rateText });
  const pool = openPool(Math.min(availableParallelism(), trials.length), ground, {
    tell: (line) => terminal.note(line),
    callMsMax: callMsMax(),
  });
  const results: RanTrial[] = [];
  let done = 0;
  try {
    await runTrials(trials, pool, (result, place) => {
      if (result.kind === "refused") throw plainFailure(`the bot did not start: ${result.reason}`);
      results[place] = result;
      progress.at(++done);
    });
  } catch (error) {
    throw plainFailure(errorMessage(error));
  } finally {
    progress.end();
    await pool.close();
  }
  return { runs: results.slice(0, count), withoutEdge: results.slice(count), from: trial.from, firstSeed: trial.seed };
}
