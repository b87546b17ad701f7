// Mean and spread of numbers, in two passes: one pass would lose the digits that small returns are made of.

export function mean(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Of a sample: divided by n - 1. */
export function standardDeviation(values: Float64Array): number {
  return Math.sqrt((centralMoment(values, 2) * values.length) / (values.length - 1));
}

export function skewness(values: Float64Array): number {
  return centralMoment(values, 3) / centralMoment(values, 2) ** 1.5;
}

/** Not the excess: of a normal distribution it is 3. */
export function kurtosis(values: Float64Array): number {
  return centralMoment(values, 4) / centralMoment(values, 2) ** 2;
}

/** Differences that are rounding and nothing else. */
export function isConstant(values: Float64Array): boolean {
  return !(standardDeviation(values) > 1e-12);
}

function centralMoment(values: Float64Array, power: number): number {
  const middle = mean(values);
  let sum = 0;
  for (const value of values) sum += (value - middle) ** power;
  return sum / values.length;
}
