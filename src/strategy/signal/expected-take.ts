// The average gain of the next price if it is taken only above an edge: the price is assumed normal around the last
// one, wider with its age.

/** Edges in any unit, the result in the same; `deviation` is the standard deviation of the edge, 0 if it is known. */
export function expectedTake(edge: number, wanted: number, deviation: number): number {
  const least = Math.max(0, wanted);
  if (!(deviation > 0)) return edge >= least ? edge : 0;
  const z = (edge - least) / deviation;
  return Math.max(0, edge * cumulative(z) + deviation * density(z));
}

export function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

/** Abramowitz and Stegun 26.2.17: the error is below 7.5e-8. */
export function cumulative(z: number): number {
  if (z < 0) return 1 - cumulative(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - density(z) * tail;
}
