// What the next price earns on average when it is taken only from some edge on: the price is thought to lie around the
// last one, normally distributed, the wider the older that is. Stateless, so it may be called from `worth`.

/** Edges in whatever unit, the answer in the same; `deviation` is the standard deviation of the edge, 0 when it is known. */
export function expectedTake(edge: number, wanted: number, deviation: number): number {
  const least = Math.max(0, wanted);
  if (!(deviation > 0)) return edge >= least ? edge : 0;
  const z = (edge - least) / deviation;
  return Math.max(0, edge * cumulative(z) + deviation * density(z));
}

function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

/** Abramowitz and Stegun 26.2.17: wrong by less than 7.5e-8. */
function cumulative(z: number): number {
  if (z < 0) return 1 - cumulative(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - density(z) * tail;
}
