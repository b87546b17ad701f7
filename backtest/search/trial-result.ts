// The result of a trial: figures, returns and trace hash as plain data with one text. Nothing in it depends on where or when it
// was computed.

import { err, ok, type Result, unwrap } from "../../src/domain/result.ts";
import type { TradingState } from "../../src/risk/trading-state.ts";
import { lapsedText } from "../caution.ts";
import { computeFigures, type PlainFigures, plainFigures } from "../metric/figures.ts";
import { periodReturns } from "../metric/returns.ts";
import { worthSeries } from "../metric/worth.ts";
import { counted } from "../report/format.ts";
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
  /** ACTIVE, or where the bot stopped trading. */
  readonly state: string;
  /** Why it stopped, where no limit made it: the strategy threw, or its state could not be saved. It was not run to its end. */
  readonly fault?: string;
  /** Why not one of its orders was sent, where that lies in the wait that decisions were given. */
  readonly lapsed?: string;
  readonly orders: number;
  readonly fills: number;
  readonly figures: PlainFigures;
  readonly returns: Returns;
};

/** The bot did not start, for a reason that lies in the trial. */
export type RefusedTrial = { readonly kind: "refused"; readonly trial: string; readonly reason: string };

/** One for each whole period from the start: days over 20 days and more, hours below, as the figures have them. */
export type Returns = {
  readonly periodMs: number;
  readonly perYear: number;
  readonly equity: readonly number[];
  /** Of holding the opening inventory. */
  readonly holding: readonly number[];
};

export function resultOf(trial: string, { record, traceHash, standing }: Backtest, lapsed?: string): RanTrial {
  const { periodMs, perYear, equity, holding } = periodReturns(worthSeries(record));
  return {
    kind: "ran",
    trial,
    traceHash,
    state: standing.state,
    ...faultOf(standing),
    ...(lapsed === undefined ? {} : { lapsed }),
    orders: record.fills.length + record.unfilled.length,
    fills: record.fills.length,
    figures: plainFigures(computeFigures(record)),
    returns: { periodMs, perYear, equity: [...equity], holding: [...holding] },
  };
}

/** Rules give their code first. */
const BY_LIMIT = /^RC\d\d: /;

function faultOf({ state, reason }: TradingState): Pick<RanTrial, "fault"> {
  return state === "HALTED" && !BY_LIMIT.test(reason) ? { fault: reason } : {};
}

export function resultText(result: TrialResult): string {
  return canonicalText(result);
}

/** Rejects when the files lack what the trial names, and where a strategy refuses its parameters: neither is a result. */
export async function runTrial(trial: Trial, files: TrialFiles): Promise<TrialResult> {
  const digest = trialDigest(trial);
  const options = await optionsOf(trial, files);
  const ran = runBacktest(options);
  if (!ran.ok) return { kind: "refused", trial: digest, reason: ran.error };
  return resultOf(digest, ran.value, lapsedText(options, ran.value.record));
}

/** The whole record of a trial whose result is there already. */
export async function repeated(trial: Trial, before: RanTrial, files: TrialFiles): Promise<Result<Backtest>> {
  const again = unwrap(runBacktest(await optionsOf(trial, files)));
  return again.traceHash === before.traceHash ? ok(again) : err(NOT_REPEATABLE);
}

export const NOT_REPEATABLE =
  "the same run came to two different results: the strategy answers otherwise when it is shown the same, so its figures " +
  "cannot be compared (pegbot backtest check, with the strategy's name, says where). Or, where runs were kept from before " +
  "(--db), a file that it reads, or a file or package that it imports by a name that is worked out, has changed since: then " +
  "begin with a new --db";

export function lapsedIn(results: readonly TrialResult[]): readonly string[] {
  const ran = results.flatMap((result) => (result.kind === "ran" ? [result] : []));
  const texts = ran.flatMap(({ lapsed }) => lapsed ?? []);
  const [first] = texts;
  if (first === undefined) return [];
  return [texts.length === ran.length ? first : `in ${texts.length} of ${counted(ran.length, "run")} ${first}`];
}
