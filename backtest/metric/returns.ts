// Returns over equal periods, and the figures of return and risk based on them.

import { DAY_MS, type Millis, millis } from "../../src/domain/time.ts";
import type { Fills } from "../record/run-record.ts";
import { combined, enough, type Figure, finite, known, mapFigure, notAvailable } from "./figure.ts";
import { isConstant, kurtosis, mean, normalCdf, quantileOf, skewness, standardDeviation } from "./statistics.ts";
import type { WorthSeries } from "./worth.ts";

export const HOUR_MS = 3_600_000;
const YEAR_MS = 365.25 * DAY_MS;

/** Minimum number of returns for a statistic. */
export const RETURNS_MIN = 20;

export type PeriodReturns = {
  readonly periodMs: number;
  readonly perYear: number;
  /** One return per period: of equity, and of holding the opening inventory. */
  readonly equity: Float64Array;
  readonly holding: Float64Array;
};

/** `periodMs`: periods other than those of the figures. */
export function periodReturns(series: WorthSeries, periodMs = periodFor(series)): PeriodReturns {
  const { time, length } = series;
  const start = time[0] ?? 0;
  const spanMs = (time[length - 1] ?? 0) - start;
  const ends = lastRows(time, start, periodMs, Math.floor(spanMs / periodMs));
  const returns = (column: Float64Array): Float64Array =>
    ends.slice(1).map((row, index) => returnBetween(column[ends[index] as number] as number, column[row] as number));
  return {
    periodMs,
    perYear: YEAR_MS / periodMs,
    equity: returns(series.growth),
    holding: returns(series.holding),
  };
}

/** After ruin the return is zero. */
function returnBetween(before: number, after: number): number {
  return before > 0 ? after / before - 1 : 0;
}

function periodFor({ time, length }: WorthSeries): number {
  return length > 0 && (time[length - 1] as number) - (time[0] as number) >= RETURNS_MIN * DAY_MS ? DAY_MS : HOUR_MS;
}

/** The last row at or before the start and at or before the end of each period. */
function lastRows(time: Float64Array, start: number, periodMs: number, periods: number): Float64Array {
  const rows = new Float64Array(time.length === 0 ? 0 : periods + 1);
  let row = 0;
  for (let period = 0; period < rows.length; period++) {
    while (row + 1 < time.length && (time[row + 1] as number) <= start + period * periodMs) row++;
    rows[period] = row;
  }
  return rows;
}

/**
 * Growth of equity over the run, time-weighted: deposits and withdrawals have no effect.
 * Formula: product over samples of ((equity - paid in since the sample before) / equity before) - 1
 */
export function totalReturn({ growth, length }: WorthSeries): Figure<number> {
  return finite(length < 2 ? NaN : (growth[length - 1] as number) - 1, "needs at least 2 samples of equity");
}

export const DAYS_MIN = 30;

/**
 * Annual growth at the run's pace. Hidden under 30 days: a good week is not a good year.
 * Formula: (1 + total return) ^ (365.25 days / time since the books opened) - 1
 */
export function cagr(series: WorthSeries): Figure<number> {
  const { time, length } = series;
  const days = length < 2 ? 0 : ((time[length - 1] as number) - (time[0] as number)) / DAY_MS;
  const short = enough(Math.floor(days), "days", DAYS_MIN);
  if (short !== undefined) return short;
  return mapFigure(totalReturn(series), (total) =>
    total <= -1
      ? notAvailable("everything was lost")
      : finite((1 + total) ** (365.25 / days) - 1, "is beyond any number"),
  );
}

/**
 * Annual volatility of equity.
 * Formula: standard deviation (n - 1) of period returns * sqrt(periods a year)
 */
export function volatility({ equity, perYear }: PeriodReturns): Figure<number> {
  return enough(equity.length, "period returns", RETURNS_MIN) ?? known(standardDeviation(equity) * Math.sqrt(perYear));
}

type Ratios = Pick<PeriodReturns, "equity" | "perYear">;

/**
 * Annual return over the risk-free rate, relative to volatility.
 * Formula: (mean of period returns - risk-free rate / periods a year) / standard deviation (n - 1) * sqrt(periods a year)
 */
export function sharpe({ equity, perYear }: Ratios, riskFreeRate: number): Figure<number> {
  return annualRatio(equity, riskFreeRate / perYear, perYear);
}

/** For any series of returns, including differences between two series. */
export function annualRatio(returns: Float64Array, target: number, perYear: number): Figure<number> {
  const few = enough(returns.length, "period returns", RETURNS_MIN);
  if (few !== undefined) return few;
  if (isConstant(returns)) return notAvailable("returns do not vary");
  return known(((mean(returns) - target) / standardDeviation(returns)) * Math.sqrt(perYear));
}

/**
 * The probability that the true Sharpe ratio is above zero, given the number of returns and their skewness and kurtosis
 * (Bailey and López de Prado, 2012).
 * Formula: Phi(SR * sqrt(n - 1) / sqrt(1 - skewness * SR + (kurtosis - 1) / 4 * SR^2)), SR per period
 */
export function probabilisticSharpe({ equity, perYear }: Ratios, riskFreeRate: number): Figure<number> {
  return mapFigure(sharpe({ equity, perYear }, riskFreeRate), (ratio) =>
    mapFigure(sharpeError(equity, ratio, perYear), (error) => known(normalCdf(ratio / error))),
  );
}

/**
 * The standard error of a ratio of returns such as Sharpe, given their number, skewness and kurtosis (Mertens, 2002).
 * Formula: sqrt((1 - skewness * SR + (kurtosis - 1) / 4 * SR^2) / (n - 1)) * sqrt(periods a year), SR per period
 */
export function sharpeError(returns: Float64Array, annual: number, perYear: number): Figure<number> {
  const ratio = annual / Math.sqrt(perYear);
  const spread = 1 - skewness(returns) * ratio + ((kurtosis(returns) - 1) / 4) * ratio ** 2;
  if (!(spread > 0)) return notAvailable("returns are too crooked for the formula");
  return known(Math.sqrt((spread / (returns.length - 1)) * perYear));
}

/**
 * The Sharpe ratio of the return that trading added to holding the opening inventory: rate moves of that inventory have
 * no effect. Under 10 fills it would only reflect the path of one position.
 * Formula: mean(return - return of holding) / standard deviation (n - 1) of the differences * sqrt(periods a year)
 */
export function sharpeOverHolding({ equity, holding, perYear }: PeriodReturns, fills: number): Figure<number> {
  const over = equity.map((value, row) => value - (holding[row] as number));
  return enough(fills, "fills") ?? annualRatio(over, 0, perYear);
}

/**
 * Annual return over the risk-free rate, relative to downside deviation.
 * Formula: (mean - target) / sqrt(sum(min(0, return - target)^2) / n) * sqrt(periods a year), target = risk-free rate / periods a year
 */
export function sortino({ equity, perYear }: PeriodReturns, riskFreeRate: number): Figure<number> {
  const few = enough(equity.length, "period returns", RETURNS_MIN);
  if (few !== undefined) return few;
  const target = riskFreeRate / perYear;
  const below = Math.sqrt(mean(equity.map((value) => Math.min(0, value - target) ** 2)));
  if (!(below > 1e-12)) return notAvailable("no period was below the target");
  return known(((mean(equity) - target) / below) * Math.sqrt(perYear));
}

export type Fall = {
  /** As a fraction. */
  readonly size: number;
  readonly peakAt: Millis;
  readonly troughAt: Millis;
  /** Undefined while equity is still below the peak. */
  readonly recoveredAt: Millis | undefined;
  /** From the peak to recovery, or to the end of the run. */
  readonly durationMs: number;
};

export type Drawdown = Fall & { readonly longestMs: number };

/**
 * The deepest fall of equity from a peak, its dates, and the longest time spent below a peak, which may belong to
 * another fall.
 * Formula: max over time of (1 - growth / highest growth so far)
 */
export function drawdown(series: Pick<WorthSeries, "time" | "growth">): Figure<Drawdown> {
  return mapFigure(falls(series), (all) =>
    known({ ...(all[0] as Fall), longestMs: all.reduce((most, { durationMs }) => Math.max(most, durationMs), 0) }),
  );
}

/**
 * The deepest fall of equity relative to holding the opening inventory.
 * Formula: as for drawdown, of growth / growth of holding
 */
export function drawdownOverHolding(series: WorthSeries): Figure<Drawdown> {
  return drawdown(overHoldingSeries(series));
}

export function overHoldingSeries(series: WorthSeries): WorthSeries {
  return { ...series, growth: series.growth.map((value, row) => value / (series.holding[row] as number)) };
}

/** The falls of equity, each until its peak was reached again; the deepest first. */
function falls({ time, growth }: Pick<WorthSeries, "time" | "growth">): Figure<readonly Fall[]> {
  if (time.length < 2) return notAvailable("needs at least 2 samples of equity");
  const found: Fall[] = [];
  let [peak, trough] = [0, 0];
  const ended = (recovered: number | undefined): void => {
    const at = (row: number): Millis => millis(time[row] as number);
    const [peakAt, troughAt, recoveredAt] = [at(peak), at(trough), recovered === undefined ? undefined : at(recovered)];
    found.push({
      size: 1 - (growth[trough] as number) / (growth[peak] as number),
      ...{ peakAt, troughAt, recoveredAt },
      durationMs: (recoveredAt ?? at(time.length - 1)) - peakAt,
    });
  };
  for (const [row, value] of growth.entries())
    if (value >= (growth[peak] as number)) {
      if (trough > peak) ended(row);
      [peak, trough] = [row, row];
    } else if (value < (growth[trough] as number)) trough = row;
  if (trough > peak) ended(undefined);
  if (found.length === 0) return notAvailable("equity never fell below a peak");
  return known(found.sort((one, other) => other.size - one.size));
}

const TAIL = 0.05;

export type TailLoss = {
  readonly periodMs: number;
  /** As fractions of equity, losses positive. */
  readonly valueAtRisk: number;
  readonly conditional: number;
};

/**
 * The loss of a period, a day or in short runs an hour, that one in twenty exceeds (95 % value at risk), and the mean
 * loss of those (CVaR, expected shortfall). Negative where even these periods gained.
 * Formula: -5 % quantile of period returns; -mean of the returns at or below it
 */
export function tailLoss({ equity, periodMs }: PeriodReturns): Figure<TailLoss> {
  const few = enough(equity.length, "period returns", RETURNS_MIN);
  if (few !== undefined) return few;
  const quantile = quantileOf(Float64Array.from(equity).sort(), TAIL);
  const conditional = -mean(equity.filter((value) => value <= quantile));
  return known({ periodMs, valueAtRisk: -quantile, conditional });
}

/** Distance below the highest value so far, at each sample: zero or negative. */
export function underwater({ growth }: WorthSeries): Float64Array {
  let highest = 0;
  return growth.map((value) => {
    highest = Math.max(highest, value);
    return value / highest - 1;
  });
}

/**
 * Annual growth relative to the deepest drawdown. Hidden under 30 days, like annual growth.
 * Formula: CAGR / deepest drawdown
 */
export function calmar(series: WorthSeries): Figure<number> {
  return combined([cagr(series), drawdown(series)], (growth, { size }) => known(growth / size));
}

export type Period = {
  /** Start of the period. */
  readonly from: Millis;
  readonly return: number;
  /** Return of holding the opening inventory. */
  readonly holding: number;
  readonly fills: number;
};

export type Periods = { readonly months: readonly Period[]; readonly days: readonly Period[] };

/**
 * The run by calendar month and by day (UTC), including incomplete first and last periods. A sample at midnight belongs
 * to the day that ends.
 * Formula: for each period growth at its last sample / growth at the last sample before it - 1; fills in it
 */
export function periods(series: WorthSeries, fills: Pick<Fills, "length" | "time">): Figure<Periods> {
  return (
    enough(series.length, "samples of equity", 2) ??
    known({ months: cut(series, fills, MONTHS), days: cut(series, fills, DAYS) })
  );
}

function cut(
  { time, growth, holding, length }: WorthSeries,
  fills: Pick<Fills, "length" | "time">,
  calendar: Calendar,
): readonly Period[] {
  const found: Period[] = [];
  let before = 0;
  let fill = 0;
  let from = calendar.startOf(time[0] as number);
  let next = calendar.after(from);
  for (let row = 0; row < length; row++) {
    const isLast = row + 1 === length;
    if (!isLast && (time[row + 1] as number) <= next) continue;
    const first = fill;
    while (fill < fills.length && (isLast || (fills.time[fill] as number) < next)) fill++;
    const over = (column: Float64Array): number => returnBetween(column[before] as number, column[row] as number);
    found.push({ from: millis(from), return: over(growth), holding: over(holding), fills: fill - first });
    before = row;
    from = calendar.startOf((time[row + 1] ?? 0) - 1);
    next = calendar.after(from);
  }
  return found;
}

type Calendar = { readonly startOf: (at: number) => number; readonly after: (start: number) => number };

const DAYS: Calendar = {
  startOf: (at) => Math.floor(at / DAY_MS) * DAY_MS,
  after: (start) => start + DAY_MS,
};

const MONTHS: Calendar = {
  startOf: (at) => monthStart(at, 0),
  after: (start) => monthStart(start, 1),
};

function monthStart(at: number, months: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
}
