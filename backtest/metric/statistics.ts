// Moments, quantiles and the standard normal distribution.

type Values = Float64Array | readonly number[];

export function mean(values: Values): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Sample standard deviation: divided by n - 1. */
export function standardDeviation(values: Values): number {
  return Math.sqrt((centralMoment(values, 2) * values.length) / (values.length - 1));
}

export function errorOfMean(values: Values): number {
  return standardDeviation(values) / Math.sqrt(values.length);
}

export function skewness(values: Float64Array): number {
  return centralMoment(values, 3) / centralMoment(values, 2) ** 1.5;
}

/** Not excess kurtosis: a normal distribution has 3. */
export function kurtosis(values: Float64Array): number {
  return centralMoment(values, 4) / centralMoment(values, 2) ** 2;
}

/** True when the values differ only by rounding. */
export function isConstant(values: Float64Array): boolean {
  return !(standardDeviation(values) > 1e-12);
}

function centralMoment(values: Values, power: number): number {
  const middle = mean(values);
  let sum = 0;
  for (const value of values) sum += (value - middle) ** power;
  return sum / values.length;
}

export function quantileOf(sorted: Float64Array, part: number): number {
  const place = part * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] ?? NaN;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? NaN;
  return low + (high - low) * (place - below);
}

/** A weighted mean with an error that lets values of the same cluster depend on each other. */
export type Clustered = {
  readonly mean: number;
  /** Undefined with fewer than two clusters. */
  readonly standardError: number | undefined;
  readonly clusters: number;
};

export function clusteredMean(
  rows: readonly { readonly value: number; readonly weight: number; readonly cluster: number }[],
): Clustered {
  const weights = rows.reduce((sum, { weight }) => sum + weight, 0);
  const middle = rows.reduce((sum, { value, weight }) => sum + value * weight, 0) / weights;
  const sums = new Map<number, number>();
  for (const { value, weight, cluster } of rows)
    sums.set(cluster, (sums.get(cluster) ?? 0) + weight * (value - middle));
  const clusters = sums.size;
  const squares = [...sums.values()].reduce((total, sum) => total + sum ** 2, 0);
  const standardError = clusters < 2 ? undefined : Math.sqrt((clusters / (clusters - 1)) * squares) / weights;
  return { mean: middle, standardError, clusters };
}

export type Estimate = {
  readonly mean: number;
  /** The interval of 95 %, by Student's t over the values; not finite with one of them. */
  readonly low: number;
  readonly high: number;
};

export function estimated(values: readonly number[]): Estimate {
  const middle = mean(values);
  const error = errorOfMean(values) * studentT(values.length - 1);
  return { mean: middle, low: middle - error, high: middle + error };
}

const FIRST_T = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622];
export const NORMAL = 1.959964;

/** The 97.5 % quantile; beyond nine degrees of freedom by its expansion around the normal one. */
export function studentT(degrees: number): number {
  const exact = FIRST_T[degrees - 1];
  if (exact !== undefined) return exact;
  const cubes = (NORMAL ** 3 + NORMAL) / 4 / degrees;
  return NORMAL + cubes + (5 * NORMAL ** 5 + 16 * NORMAL ** 3 + 3 * NORMAL) / 96 / degrees ** 2;
}

const SERIES_MAX = 3;

export function normalCdf(x: number): number {
  if (Number.isNaN(x)) return NaN;
  if (Math.abs(x) <= SERIES_MAX) return 0.5 + density(x) * series(x);
  return x > 0 ? 1 - tail(x) : tail(-x);
}

/** x + x^3/3 + x^5/(3*5) + ... */
function series(x: number): number {
  let term = x;
  let sum = x;
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return sum;
}

/** The upper tail: density / (x + 1/(x + 2/(x + 3/(x + ...)))). */
function tail(x: number): number {
  let fraction = x;
  for (let k = 200; k >= 1; k--) fraction = x + k / fraction;
  return density(x) / fraction;
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}
