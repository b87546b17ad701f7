// The result of a trial: figures, returns and trace hash as plain data with one text. It does not depend on where or
// when it was computed.

import { err, ok, type Result, unwrap } from "../../src/domain/result.ts";
import type { TradingState } from "../../src/risk/trading-state.ts";
import { computeFigures, type PlainFigures, plainFigures } from "../metric/figures.ts";
import { periodReturns } from "../metric/returns.ts";
import { worthSeries } from "../metric/worth.ts";
import { type Backtest, runBacktest } from "../run-backtest.ts";
import { canonicalText } from "./identity.ts";
import { optionsOf, type Trial, trialDigest } from "./trial.ts";
import type { TrialFiles } from "./trial-files.ts";

export type TrialResult = RanTrial | RefusedTrial;

export type RanTrial = {
  readonly kind: "ran";
  /** The digest of the trial. */
  readonly trial: string;
  readonly traceHash: string;
  /** ACTIVE, or the state in which the bot stopped trading. */
  readonly state: string;
  /** Why it stopped without a limit: the strategy threw, or its state could not be saved. The run was not completed. */
  readonly fault?: string;
  /** The rule whose limit stopped it. */
  readonly limit?: string;
  readonly orders: number;
  readonly fills: number;
  readonly figures: PlainFigures;
  readonly returns: Returns;
};

/** The bot did not start, for a reason in the trial. */
export type RefusedTrial = { readonly kind: "refused"; readonly trial: string; readonly reason: string };

/** One return per whole period from the start: days for 20 days or more, hours below, as in the figures. */
export type Returns = {
  readonly periodMs: number;
  readonly perYear: number;
  readonly equity: readonly number[];
  /** Returns of holding the opening inventory. */
  readonly holding: readonly number[];
};

export function resultOf(trial: string, { record, traceHash, standing }: Backtest): RanTrial {
  const { periodMs, perYear, equity, holding } = periodReturns(worthSeries(record));
  return {
    kind: "ran",
    trial,
    traceHash,
    state: standing.state,
    ...endOf(standing),
    orders: record.fills.length + record.unfilled.length,
    fills: record.fills.length,
    figures: plainFigures(computeFigures(record)),
    returns: { periodMs, perYear, equity: [...equity], holding: [...holding] },
  };
}

/** Reasons of rules begin with their code. */
const BY_LIMIT = /^RC\d\d(?=: )/;

function endOf({ state, reason }: TradingState): Pick<RanTrial, "fault" | "limit"> {
  const [limit] = BY_LIMIT.exec(reason) ?? [];
  return state !== "HALTED" ? {} : limit === undefined ? { fault: reason } : { limit };
}

export function resultText(result: TrialResult): string {
  return canonicalText(result);
}

/** Rejects when a file that the trial names is missing, or the strategy refuses its parameters: neither is a result. */
export async function runTrial(trial: Trial, files: TrialFiles): Promise<TrialResult> {
  const digest = trialDigest(trial);
  const ran = runBacktest(await optionsOf(trial, files));
  if (!ran.ok) return { kind: "refused", trial: digest, reason: ran.error };
  return resultOf(digest, ran.value);
}

/** Runs a trial again for its whole record. */
export async function repeated(trial: Trial, before: RanTrial, files: TrialFiles): Promise<Result<Backtest>> {
  const again = unwrap(runBacktest(await optionsOf(trial, files)));
  return again.traceHash === before.traceHash ? ok(again) : err(NOT_REPEATABLE);
}

export const NOT_REPEATABLE =
  "the same run came to two different results: the strategy answers otherwise when it is shown the same, so its figures " +
  "cannot be compared (pegbot backtest check, with the strategy's name, says where). Or, where runs were kept from before " +
  "(--db), a file that it reads, or a file or package that it imports by a name that is worked out, has changed since: then " +
  "begin with a new --db";
