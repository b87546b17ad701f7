// What no plan within a box can beat, exactly. Prices of scarcity are proposed in floats; whatever they are, the
// Lagrangian bound made of them in whole numbers is true, so that a bad guess costs time and never the best plan.

import {
  type Box,
  broughtBy,
  costOf,
  fewest,
  type Goal,
  missedBy,
  missPriceOf,
  type Program,
  type ProgramRoute,
  type Range,
  takenBy,
} from "./program.ts";

/** Prices are whole numbers of 2^-48. */
const SCALE = 2 ** 48;
const UNIT = BigInt(SCALE);

type ExactPrices = { readonly take: bigint; readonly low: bigint; readonly high: bigint };

/** The least that the goal can come to in this box. */
export function leastIn(
  { holdings, routes }: Program,
  box: Box,
  goal: Goal,
  guessed: readonly HoldingPrices[],
): bigint {
  const most = missPriceOf(goal);
  const prices = guessed.map(
    ({ take, low, high }): ExactPrices => ({
      take: exact(take),
      // Beyond the price of a miss the bound would not be one.
      low: exact(Math.min(low, most)),
      high: exact(Math.min(high, most)),
    }),
  );
  let sum = goal.kind === "cost" ? -exact(most) * goal.missedMax : 0n;
  holdings.forEach(({ available, have, low, high }, index) => {
    const price = prices[index] as ExactPrices;
    sum -= price.take * available;
    if (low !== undefined) sum += price.low * (low - have);
    if (high !== undefined) sum += price.high * (have - high);
  });
  routes.forEach((route, index) => {
    const from = prices[route.from] as ExactPrices;
    const to = prices[route.to] as ExactPrices;
    const leaving = from.take + from.low - from.high;
    const arriving = to.low - to.high;
    const at = (lots: number): bigint =>
      (goal.kind === "cost" ? UNIT * costOf(route, lots) : 0n) +
      leaving * takenBy(route, lots) -
      arriving * broughtBy(route, lots);
    sum += choices(box[index] as Range)
      .map(at)
      .reduce(smaller);
  });
  // Up to the next whole number: no plan lies between.
  return sum > 0n ? (sum + UNIT - 1n) / UNIT : sum / UNIT;
}

/** Whatever is done in the box, more is taken than there is, or more is missed than may be. */
export function isOutOfReach({ holdings, routes }: Program, box: Box, goal: Goal): boolean {
  const most = holdings.map(({ have }) => have);
  const least = holdings.map(({ have }) => have);
  const taken = holdings.map(() => 0n);
  const add = (sums: bigint[], index: number, amount: bigint): void => {
    sums[index] = (sums[index] as bigint) + amount;
  };
  routes.forEach((route, index) => {
    const range = box[index] as Range;
    add(taken, route.from, takenBy(route, fewest(range)));
    add(most, route.from, -takenBy(route, fewest(range)));
    add(least, route.from, -takenBy(route, range.high));
    // What is kept once may be more than a lot brings: then little is less than nothing.
    const brought = choices(range).map((lots) => broughtBy(route, lots));
    add(least, route.to, brought.reduce(smaller));
    add(most, route.to, brought.reduce(larger));
  });
  if (holdings.some(({ available }, index) => (taken[index] as bigint) > available)) return true;
  if (goal.kind === "missed") return false;
  let missed = 0n;
  holdings.forEach(({ low, high }, index) => {
    missed += missedBy({ low, high: undefined }, most[index] as bigint);
    missed += missedBy({ low: undefined, high }, least[index] as bigint);
  });
  return missed > goal.missedMax;
}

/** Everything is a straight line between these. */
function choices({ mayRest, low, high }: Range): readonly number[] {
  if (!mayRest) return [low, high];
  return high === 0 ? [0] : [0, low, high];
}

function exact(price: number): bigint {
  return BigInt(Math.round(price * SCALE));
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

export type Guess = {
  /** Lots through each route, not whole and perhaps below a minimum. */
  readonly lots: readonly number[];
  readonly prices: readonly HoldingPrices[];
};

/** What one unit less to take, or one unit's miss of an edge, would cost. */
export type HoldingPrices = { readonly take: number; readonly low: number; readonly high: number };

type Rows = { readonly take: number; readonly low: number | undefined; readonly high: number | undefined };

export function guessAt(program: Program, box: Box, goal: Goal): Guess {
  const { holdings, routes } = program;
  const unit = unitOf(program);
  const float = (amount: bigint): number => Number(amount) / unit;
  const table = new Table();
  const have = holdings.map((holding) => float(holding.have));
  const available = holdings.map((holding) => float(holding.available));
  const add = (sums: number[], index: number, amount: number): void => {
    sums[index] = (sums[index] as number) + amount;
  };
  routes.forEach((route, index) => {
    const least = fewest(box[index] as Range);
    add(available, route.from, -float(takenBy(route, least)));
    add(have, route.from, -float(takenBy(route, least)));
    add(have, route.to, float(broughtBy(route, least)));
  });
  const missPrice = missPriceOf(goal);
  const rows = holdings.map(({ low, high }, index): Rows => {
    const held = have[index] as number;
    return {
      take: table.row(Math.max(0, available[index] as number)),
      low: low === undefined ? undefined : edge(table, held - float(low), missPrice),
      high: high === undefined ? undefined : edge(table, float(high) - held, missPrice),
    };
  });
  const columns = routes.map((route, index) => {
    const range = box[index] as Range;
    if (range.high <= fewest(range)) return undefined;
    const growth = (of: (route: ProgramRoute, lots: number) => bigint): number =>
      float(of(route, range.high) - of(route, fewest(range)));
    const column = table.column(goal.kind === "missed" ? 0 : growth(costOf));
    table.add(table.row(1), column, 1);
    flow(table, column, rows[route.from] as Rows, -growth(takenBy));
    flow(table, column, rows[route.to] as Rows, growth(broughtBy));
    table.add((rows[route.from] as Rows).take, column, growth(takenBy));
    return column;
  });
  const { values, prices } = table.relaxed();
  const lots = routes.map((_, index) => {
    const range = box[index] as Range;
    const column = columns[index];
    const share = column === undefined ? 0 : (values[column] as number);
    return fewest(range) + share * (range.high - fewest(range));
  });
  const priceOf = (row: number | undefined): number => (row === undefined ? 0 : (prices[row] as number));
  return {
    lots,
    prices: rows.map(({ take, low, high }) => ({ take: priceOf(take), low: priceOf(low), high: priceOf(high) })),
  };
}

/** `room` is what is left to the edge. Beyond it something is missed: more of it costs, less of it gains, up to all there is. */
function edge(table: Table, room: number, missPrice: number): number {
  const row = table.row(Math.max(0, room));
  table.add(row, table.column(missPrice), -1);
  if (room < 0) {
    const less = table.column(-missPrice);
    table.add(row, less, 1);
    table.add(table.row(-room), less, 1);
  }
  return row;
}

function flow(table: Table, column: number, { low, high }: Rows, amount: number): void {
  if (low !== undefined) table.add(low, column, -amount);
  if (high !== undefined) table.add(high, column, amount);
}

/** Makes the largest amount one. */
function unitOf({ holdings, routes }: Program): number {
  const sizes = [
    ...holdings.flatMap(({ available, have }) => [Number(available), Math.abs(Number(have))]),
    ...routes.map((route) => Number(takenBy(route, route.max))),
  ];
  return Math.max(1, ...sizes);
}

/** Minimise the columns' cost over x >= 0 where no row exceeds its limit. Limits are not negative, so that x = 0 is a start. */
class Table {
  readonly #rows: Map<number, number>[] = [];
  readonly #limits: number[] = [];
  readonly #cost: number[] = [];

  row(limit: number): number {
    this.#limits.push(limit);
    return this.#rows.push(new Map()) - 1;
  }

  column(cost: number): number {
    return this.#cost.push(cost) - 1;
  }

  add(row: number, column: number, amount: number): void {
    const cells = this.#rows[row] as Map<number, number>;
    cells.set(column, (cells.get(column) ?? 0) + amount);
  }

  /** `prices`: what one more of each limit would save. */
  relaxed(): { readonly values: Float64Array; readonly prices: Float64Array } {
    const width = this.#cost.length;
    const rows = this.#rows.map((cells, i) => {
      const row = new Float64Array(width + 1);
      for (const [column, amount] of cells) row[column] = amount;
      row[width] = this.#limits[i] as number;
      return row;
    });
    return relax(rows, Float64Array.from([...this.#cost, 0]), width);
  }
}

const NOISE = 1e-11;

/** Each row ends with its limit; the columns of slacks are kept in place of the variables that entered for them. */
function relax(table: readonly Float64Array[], goal: Float64Array, width: number) {
  const height = table.length;
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
