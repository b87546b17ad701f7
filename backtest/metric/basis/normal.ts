// The standard normal distribution function: Marsaglia's series in the middle (it converges to the last digit), a
// continued fraction in the tails, where the series would cancel.

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

/** Above x: density / (x + 1/(x + 2/(x + 3/(x + ...)))). */
function tail(x: number): number {
  let fraction = x;
  for (let k = 200; k >= 1; k--) fraction = x + k / fraction;
  return density(x) / fraction;
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}
