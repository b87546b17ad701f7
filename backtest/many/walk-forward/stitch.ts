// The times that judge, one after the other, as one run: each window starts afresh with the same account, so what is stitched is
// growth and not inventory. A window that was not traded, for want of a choice or because its run was refused, is time without a
// gain, and so is that before the books of one opened: leaving it out would make the rest look better than the whole was.

import { type Figure, mapFigure, notAvailable } from "../../metric/basis/figure.ts";
import { periodReturns } from "../../metric/basis/period-returns.ts";
import type { WorthSeries } from "../../metric/basis/worth-series.ts";
import { type Drawdown, drawdown } from "../../metric/drawdown.ts";
import { probabilisticSharpe } from "../../metric/probabilistic-sharpe.ts";
import { annualRatio } from "../../metric/sharpe.ts";
import { totalReturn } from "../../metric/total-return.ts";
import type { Belief } from "../../record/run-record.ts";
import { counted } from "../../report/format.ts";
import type { TrialReturns } from "../overfit/deflated-sharpe.ts";
import { overHolding } from "../overfitting.ts";
import type { TrialResult } from "../trial-result.ts";
import type { Span } from "./windows.ts";

/** What a window left. */
export type Piece = {
  /** Undefined where it was not traded. */
  readonly result: TrialResult | undefined;
  readonly series: WorthSeries;
  /** What each closed trade brought, in the currency. */
  readonly closed: readonly number[];
  /** How much its recorded references were believed. */
  readonly references: readonly Belief[];
};

export type Stitched = {
  readonly series: WorthSeries;
  readonly returns: TrialReturns;
  readonly closed: readonly number[];
};

export type StitchedFigures = {
  readonly totalReturn: Figure<number>;
  readonly holdingReturn: Figure<number>;
  readonly drawdown: Figure<Drawdown>;
  readonly sharpeOverHolding: Figure<number>;
  /** The chance that its true value is above zero. Nothing here was chosen by what it shows, so nothing is deflated. */
  readonly probabilisticSharpe: Figure<number>;
};

/** Drawn as it is counted: neither a gain nor a loss, and none of holding. */
export function idlePiece({ from, to }: Span): Piece {
  const flat = (): Float64Array => Float64Array.of(1, 1);
  return {
    result: undefined,
    series: { length: 2, time: Float64Array.of(from, to), growth: flat(), holding: flat() },
    closed: [],
    references: [],
  };
}

/** `window` is one of those that judge, which are of one length. */
export function stitched(pieces: readonly Piece[], window?: Span): Stitched {
  const ran = pieces.flatMap(({ result }) => (result?.kind === "ran" ? [result.returns] : []));
  // Over a window that opened late the periods may be shorter than over a whole one.
  const { periodMs, perYear } = ran.reduce((one, other) => (other.periodMs > one.periodMs ? other : one), NONE);
  const found = pieces.map((piece) => returnsOf(piece, periodMs));
  const spanned = window === undefined || periodMs === 0 ? 0 : Math.floor((window.to - window.from) / periodMs);
  const periods = Math.max(spanned, ...found.map(({ length }) => length));
  return {
    series: chained(pieces.map(({ series }) => series)),
    returns: {
      // Time in which the books were not open, or nothing was traded, stands before the rest.
      returns: Float64Array.from(
        found.flatMap((returns) => [...new Float64Array(periods - returns.length), ...returns]),
      ),
      perYear,
    },
    closed: pieces.flatMap(({ closed }) => closed),
  };
}

const NONE = { periodMs: 0, perYear: 1 };

function returnsOf({ result, series }: Piece, periodMs: number): Float64Array {
  if (result?.kind !== "ran") return new Float64Array(0);
  if (result.returns.periodMs === periodMs) return overHolding(result).returns;
  const { equity, holding } = periodReturns(series, periodMs);
  return equity.map((one, i) => one - (holding[i] as number));
}

export function stitchedFigures({ series, returns: { returns, perYear } }: Stitched): StitchedFigures {
  const byHolding = { ...series, growth: series.holding };
  const excess = { equity: returns, holding: returns, perYear, periodMs: 0 };
  return {
    totalReturn: totalReturn(series),
    holdingReturn: totalReturn(byHolding),
    drawdown: drawdown(series),
    sharpeOverHolding: annualRatio(returns, 0, perYear),
    probabilisticSharpe: mapFigure(annualRatio(returns, 0, perYear), () => probabilisticSharpe(excess, 0)),
  };
}

type BothSides = { readonly inSample: number | null; readonly outOfSample: number | null };

/** A parameter's result there as a part of what it was where it was chosen; over all windows that have it on both sides. */
export function efficiency(rows: readonly BothSides[]): Figure<number> {
  const both = rows.filter(hasBoth);
  if (both.length === 0) return notAvailable("no window has the figure on both sides");
  const sum = (side: "inSample" | "outOfSample"): number => both.reduce((all, row) => all + (row[side] as number), 0);
  const idle = both.filter(({ inSample }) => !((inSample as number) > 0)).length;
  if (idle > 0)
    return notAvailable(`in ${idle} of ${counted(both.length, "window")} even the best did not come to more than zero`);
  return { kind: "known", value: sum("outOfSample") / sum("inSample") };
}

export function hasBoth({ inSample, outOfSample }: BothSides): boolean {
  return inSample !== null && outOfSample !== null;
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
