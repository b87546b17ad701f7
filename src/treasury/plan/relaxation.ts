// A guess at the best plan and at the prices of scarcity behind it, in floats: the simplex method on the program without
// its minimums and whole lots. Nothing rests on it but the order of the search: bounds and scores are exact (bound.ts).

/** Minimise `cost` over x >= 0 where rows * x <= limits. Limits are not negative, so that x = 0 is a start. */
export type Relaxation = {
  readonly rows: readonly Float64Array[];
  readonly limits: Float64Array;
  readonly cost: Float64Array;
};

export type Relaxed = {
  readonly values: Float64Array;
  /** What one more of each limit would save. */
  readonly prices: Float64Array;
};

const NOISE = 1e-11;

export function relax({ rows, limits, cost }: Relaxation): Relaxed {
  const height = rows.length;
  const width = cost.length;
  // Each row ends with its limit; the columns of slacks are kept in place of the variables that entered for them.
  const table = rows.map((row, i) => ended(row, limits[i] as number));
  const goal = ended(cost, 0);
  /** Variables are numbered first, slacks after them. */
  const basis = Array.from({ length: height }, (_, i) => width + i);
  const free = Array.from({ length: width }, (_, j) => j);
  const turnsMax = 50 * (height + width);
  for (let turn = 0; turn < turnsMax; turn++) {
    // The steepest column first; the first one after many turns, which cannot go round in circles.
    const column = entering(goal, width, turn > turnsMax / 2);
    if (column < 0) break;
    const row = leaving(table, column, width, basis);
    if (row < 0) break;
    pivot(table, goal, row, column, width);
    const left = basis[row] as number;
    basis[row] = free[column] as number;
    free[column] = left;
  }
  const values = new Float64Array(width);
  const prices = new Float64Array(height);
  basis.forEach((variable, i) => {
    if (variable < width) values[variable] = Math.max(0, (table[i] as Float64Array)[width] as number);
  });
  free.forEach((variable, j) => {
    if (variable >= width) prices[variable - width] = Math.max(0, goal[j] as number);
  });
  return { values, prices };
}

/** Copied as a block: a search relaxes thousands of boxes, and number by number this was the most of its time. */
function ended(row: Float64Array, last: number): Float64Array {
  const longer = new Float64Array(row.length + 1);
  longer.set(row);
  longer[row.length] = last;
  return longer;
}

function entering(goal: Float64Array, width: number, first: boolean): number {
  let best = -1;
  let least = -NOISE;
  for (let j = 0; j < width; j++) {
    const value = goal[j] as number;
    if (value >= least) continue;
    best = j;
    if (first) return best;
    least = value;
  }
  return best;
}

function leaving(table: readonly Float64Array[], column: number, width: number, basis: readonly number[]): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  table.forEach((row, i) => {
    const slope = row[column] as number;
    if (slope <= NOISE) return;
    const ratio = (row[width] as number) / slope;
    const isTie = best >= 0 && Math.abs(ratio - least) <= NOISE * Math.max(1, least);
    if (isTie ? (basis[i] as number) < (basis[best] as number) : ratio < least) {
      best = i;
      least = ratio;
    }
  });
  return best;
}

/** The table with its columns of slacks left out: the column that leaves takes the place of the one that enters. */
function pivot(table: readonly Float64Array[], goal: Float64Array, at: number, column: number, width: number): void {
  const row = table[at] as Float64Array;
  const by = 1 / (row[column] as number);
  for (let j = 0; j <= width; j++) row[j] = (row[j] as number) * by;
  row[column] = by;
  for (const other of [...table, goal]) {
    if (other === row) continue;
    const factor = other[column] as number;
    if (factor === 0) continue;
    for (let j = 0; j <= width; j++) other[j] = (other[j] as number) - factor * (row[j] as number);
    other[column] = -factor * by;
  }
}
