// What one of many runs left: its figures, its returns and its trace hash, as plain data with one text. Nothing in it says
// where or when it was computed.

import type { Standing } from "../../src/risk/standing.ts";
import { computeFigures } from "../figures.ts";
import { periodReturns } from "../metric/basis/period-returns.ts";
import { worthSeries } from "../metric/basis/worth-series.ts";
import type { Backtest } from "../run-backtest.ts";
import { canonicalText } from "./canonical.ts";
import { type PlainFigures, plainFigures } from "./plain-figures.ts";

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

function faultOf({ state, reason }: Standing): Pick<RanTrial, "fault"> {
  return state === "HALTED" && !BY_LIMIT.test(reason) ? { fault: reason } : {};
}

export function resultText(result: TrialResult): string {
  return canonicalText(result);
}
