// A run made once more must come to the same. Where it does not, the strategy goes by something that it is not shown (chance, a
// clock, a file), and every ranking of it is noise.

import { err, ok, type Result, unwrap } from "../../src/domain/result.ts";
import { type Backtest, runBacktest } from "../run-backtest.ts";
import type { Ground } from "./ground.ts";
import { optionsOf, type Trial } from "./trial.ts";
import type { RanTrial } from "./trial-result.ts";

/** The whole record of a trial whose result is there already. */
export async function repeated(trial: Trial, before: RanTrial, ground: Ground): Promise<Result<Backtest>> {
  const again = unwrap(runBacktest(await optionsOf(trial, ground)));
  return again.traceHash === before.traceHash ? ok(again) : err(NOT_REPEATABLE);
}

export const NOT_REPEATABLE =
  "the same run came to two different results: the strategy answers otherwise when it is shown the same, so its figures " +
  "cannot be compared (pegbot backtest check, with the strategy's name, says where). Or, where runs were kept from before " +
  "(--db), a file that it reads, or a file or package that it imports by a name that is worked out, has changed since: then " +
  "begin with a new --db";
