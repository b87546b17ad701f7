// The outcome of a walk-forward: a row for each window, out-of-sample next to in-sample, and all out-of-sample runs
// stitched into one.

import { DAY_MS } from "../../src/domain/time.ts";
import { type Figure, mapFigure } from "../metric/figure.ts";
import { annualRatio, drawdown, periodReturns, probabilisticSharpe, totalReturn } from "../metric/returns.ts";
import type { WorthSeries } from "../metric/worth.ts";
import { endOf, shortText } from "./ranking.ts";
import { achieved, figureOf, type Objective } from "./search-terms.ts";
import { overHolding, type Superiority, superiority } from "./superior.ts";
import type { TrialResult } from "./trial-result.ts";
import type { Span, WalkedWindow, WalkForwardPlan, Window } from "./walk-forward.ts";

export type WindowRow = {
  readonly window: Window;
  /** The chosen parameters; undefined where none could be chosen. */
  readonly values: Readonly<Record<string, unknown>> | undefined;
  /** The objective, with money and returns per day; null where a run has no such figure. */
  readonly outOfSample: number | null;
  readonly inSample: number | null;
  readonly profitOverHolding: number | null;
  readonly fills: number;
  readonly state: string;
  /** Why the out-of-sample run failed, or those of the sets that could have been chosen. */
  readonly fault: string | undefined;
  /** The number of sets that failed and so could not be chosen. */
  readonly setsFailed: number;
  /** Of the search in-sample; undefined where nothing was chosen. */
  readonly superior: Figure<Superiority> | undefined;
};

export type WalkForwardOutcome = ReturnType<typeof outcomeOf>;

/** Figures that grow with time: a long run has more than a short one. */
const GROWING: ReadonlySet<string> = new Set(["netProfit", "profitOverHolding", "totalReturn"]);

/** `pieces` has one entry per window, in their order. */
export function outcomeOf(
  { search, windows }: WalkForwardPlan,
  walked: readonly WalkedWindow[],
  pieces: readonly Piece[],
  currency: string,
) {
  const { objective } = search;
  const rows = walked.map((one) => rowOf(one, search));
  const whole = stitched(pieces, windows[0]?.test);
  const known = rows.flatMap(({ profitOverHolding }) => profitOverHolding ?? []);
  return {
    objective,
    isPerDay: GROWING.has(figureOf(objective)),
    currency,
    rows,
    stitched: whole,
    figures: stitchedFigures(whole),
    profitOverHolding: known.reduce((sum, one) => sum + one, 0),
    fills: rows.reduce((sum, { fills }) => sum + fills, 0),
    gained: known.filter((one) => one > 0).length,
    from: (windows[0] as Window).test.from,
    to: (windows.at(-1) as Window).test.to,
  };
}

function rowOf(
  { window, explored, chosen }: WalkedWindow,
  { objective, axes, base }: WalkForwardPlan["search"],
): WindowRow {
  const faults = explored.flatMap(({ inSample }) => inSample.flatMap((one) => faultOf(one) ?? []));
  if (chosen === undefined)
    return {
      window,
      values: undefined,
      ...{ outOfSample: null, inSample: null, profitOverHolding: null, fills: 0 },
      state: `not traded: ${whyNone(faults, explored.length) ?? unchosenText(objective, window.train)}`,
      fault: faults[0],
      setsFailed: faults.length,
      superior: undefined,
    };
  const { point, inSample, outOfSample } = chosen;
  const { train, test } = window;
  return {
    window,
    values: Object.fromEntries(axes.map(({ name }, i) => [name, point[i]])),
    outOfSample: comparable(objective, outOfSample, test.to - test.from),
    inSample: comparable(objective, inSample[0] as TrialResult, train.to - train.from),
    profitOverHolding: outOfSample.kind === "ran" ? outOfSample.figures.profitOverHolding : null,
    fills: outOfSample.kind === "ran" ? outOfSample.fills : 0,
    state: endOf(outOfSample),
    fault: faultOf(outOfSample),
    setsFailed: faults.length,
    superior: superiority(
      explored.map((one) => one.inSample),
      base.seed,
    ),
  };
}

function whyNone(faults: readonly string[], sets: number): string | undefined {
  const [first] = faults;
  return first && `${faults.length} of ${sets} sets failed: ${first}`;
}

function unchosenText(objective: Objective, { from, to }: Window["train"]): string {
  const short = shortText(objective, to - from);
  return `no parameter set had a figure to be chosen by${short === undefined ? "" : ` (${short})`}`;
}

function faultOf(result: TrialResult): string | undefined {
  return result.kind === "ran" ? result.fault : undefined;
}

function comparable(objective: Objective, result: TrialResult, spanMs: number): number | null {
  const value = achieved(objective, result);
  return value === null || !GROWING.has(figureOf(objective)) ? value : value / (spanMs / DAY_MS);
}

/** The out-of-sample result of a window. */
export type Piece = {
  /** Undefined where it was not traded. */
  readonly result: TrialResult | undefined;
  readonly series: WorthSeries;
};

export type Stitched = {
  readonly series: WorthSeries;
  /** Over holding, one for each period. */
  readonly returns: Float64Array;
  readonly perYear: number;
};

/** A window without a choice is drawn as it is counted: no gain, no loss, and none of holding. */
export function idlePiece({ from, to }: Span): Piece {
  const flat = (): Float64Array => Float64Array.of(1, 1);
  return {
    result: undefined,
    series: { length: 2, time: Float64Array.of(from, to), growth: flat(), holding: flat() },
  };
}

/** `window` is one of the out-of-sample windows, which have equal lengths. */
export function stitched(pieces: readonly Piece[], window?: Span): Stitched {
  const ran = pieces.flatMap(({ result }) => (result?.kind === "ran" ? [result.returns] : []));
  // A window that opened late may have shorter periods than a whole one.
  const { periodMs, perYear } = ran.reduce((one, other) => (other.periodMs > one.periodMs ? other : one), NONE);
  const found = pieces.map((piece) => returnsOf(piece, periodMs));
  const spanned = window === undefined || periodMs === 0 ? 0 : Math.floor((window.to - window.from) / periodMs);
  const periods = Math.max(spanned, ...found.map(({ length }) => length));
  return {
    series: chained(pieces.map(({ series }) => series)),
    // Time in which the books were not open, or nothing was traded, comes before the rest.
    returns: Float64Array.from(found.flatMap((returns) => [...new Float64Array(periods - returns.length), ...returns])),
    perYear,
  };
}

const NONE = { periodMs: 0, perYear: 1 };

function returnsOf({ result, series }: Piece, periodMs: number): Float64Array {
  if (result?.kind !== "ran") return new Float64Array(0);
  if (result.returns.periodMs === periodMs) return overHolding(result);
  const { equity, holding } = periodReturns(series, periodMs);
  return equity.map((one, i) => one - (holding[i] as number));
}

export function stitchedFigures({ series, returns, perYear }: Stitched) {
  const byHolding = { ...series, growth: series.holding };
  const excess = { equity: returns, holding: returns, perYear, periodMs: 0 };
  return {
    totalReturn: totalReturn(series),
    holdingReturn: totalReturn(byHolding),
    drawdown: drawdown(series),
    sharpeOverHolding: annualRatio(returns, 0, perYear),
    // The probability that the true value is above zero. No choice was based on this figure, so it is not deflated.
    probabilisticSharpe: mapFigure(annualRatio(returns, 0, perYear), () => probabilisticSharpe(excess, 0)),
  };
}

function chained(all: readonly WorthSeries[]): WorthSeries {
  const length = all.reduce((sum, series) => sum + series.length, 0);
  const [time, growth, holding] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)];
  let row = 0;
  let [grown, held] = [1, 1];
  for (const series of all) {
    for (let i = 0; i < series.length; i++, row++) {
      time[row] = series.time[i] as number;
      growth[row] = grown * (series.growth[i] as number);
      holding[row] = held * (series.holding[i] as number);
    }
    grown = growth[row - 1] ?? grown;
    held = holding[row - 1] ?? held;
  }
  return { length, time, growth, holding };
}
