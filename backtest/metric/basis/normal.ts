// The standard normal distribution function: Marsaglia's series in the middle (it converges to the last digit), a
// continued fraction in the tails, where the series would cancel; and its inverse, by bisection on it.

const SERIES_MAX = 3;

export function normalCdf(x: number): number {
  if (Number.isNaN(x)) return NaN;
  if (Math.abs(x) <= SERIES_MAX) return 0.5 + density(x) * series(x);
  return x > 0 ? 1 - tail(x) : tail(-x);
}

const QUANTILE_MAX = 38;

/** The x that a standard normal number is below with this chance; infinite at 0 and 1. */
export function normalQuantile(chance: number): number {
  if (!(chance > 0 && chance < 1)) return chance === 0 ? -Infinity : chance === 1 ? Infinity : NaN;
  // The lower half has the digits.
  if (chance > 0.5) return -normalQuantile(1 - chance);
  let low = -QUANTILE_MAX;
  let high = 0;
  for (let middle = low / 2; middle > low && middle < high; middle = (low + high) / 2)
    if (normalCdf(middle) < chance) low = middle;
    else high = middle;
  return high;
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

/** Above x: density / (x + 1/(x + 2/(x + 3/(x + ...)))). */
function tail(x: number): number {
  let fraction = x;
  for (let k = 200; k >= 1; k--) fraction = x + k / fraction;
  return density(x) / fraction;
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}
