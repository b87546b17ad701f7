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
  type ProgramDoor,
  type Range,
  takenBy,
} from "./program.ts";

/** Prices are whole numbers of 2^-48. */
const SCALE = 2 ** 48;
const UNIT = BigInt(SCALE);

type ExactPrices = { readonly take: bigint; readonly low: bigint; readonly high: bigint };

/** The least that the goal can come to in this box. */
export function leastIn({ pots, doors }: Program, box: Box, goal: Goal, guessed: readonly PotPrices[]): bigint {
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
  pots.forEach(({ available, have, low, high }, index) => {
    const price = prices[index] as ExactPrices;
    sum -= price.take * available;
    if (low !== undefined) sum += price.low * (low - have);
    if (high !== undefined) sum += price.high * (have - high);
  });
  doors.forEach((door, index) => {
    const from = prices[door.from] as ExactPrices;
    const to = prices[door.to] as ExactPrices;
    const leaving = from.take + from.low - from.high;
    const arriving = to.low - to.high;
    const at = (lots: number): bigint =>
      (goal.kind === "cost" ? UNIT * costOf(door, lots) : 0n) +
      leaving * takenBy(door, lots) -
      arriving * broughtBy(door, lots);
    sum += choices(box[index] as Range)
      .map(at)
      .reduce(smaller);
  });
  // Up to the next whole number: no plan lies between.
  return sum > 0n ? (sum + UNIT - 1n) / UNIT : sum / UNIT;
}

/** Whatever is done in the box, more is taken than there is, or more is missed than may be. */
export function isOutOfReach({ pots, doors }: Program, box: Box, goal: Goal): boolean {
  const most = pots.map(({ have }) => have);
  const least = pots.map(({ have }) => have);
  const taken = pots.map(() => 0n);
  const add = (sums: bigint[], index: number, amount: bigint): void => {
    sums[index] = (sums[index] as bigint) + amount;
  };
  doors.forEach((door, index) => {
    const range = box[index] as Range;
    add(taken, door.from, takenBy(door, fewest(range)));
    add(most, door.from, -takenBy(door, fewest(range)));
    add(least, door.from, -takenBy(door, range.high));
    // What is kept once may be more than a lot brings: then little is less than nothing.
    const brought = choices(range).map((lots) => broughtBy(door, lots));
    add(least, door.to, brought.reduce(smaller));
    add(most, door.to, brought.reduce(larger));
  });
  if (pots.some(({ available }, index) => (taken[index] as bigint) > available)) return true;
  if (goal.kind === "missed") return false;
  let missed = 0n;
  pots.forEach(({ low, high }, index) => {
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
  /** Lots through each door, not whole and perhaps below a minimum. */
  readonly lots: readonly number[];
  readonly prices: readonly PotPrices[];
};

/** What one unit less to take, or one unit's miss of an edge, would cost. */
export type PotPrices = { readonly take: number; readonly low: number; readonly high: number };

type Rows = { readonly take: number; readonly low: number | undefined; readonly high: number | undefined };

export function guessAt(program: Program, box: Box, goal: Goal): Guess {
  const { pots, doors } = program;
  const unit = unitOf(program);
  const float = (amount: bigint): number => Number(amount) / unit;
  const table = new Table();
  const have = pots.map((pot) => float(pot.have));
  const available = pots.map((pot) => float(pot.available));
  const add = (sums: number[], index: number, amount: number): void => {
    sums[index] = (sums[index] as number) + amount;
  };
  doors.forEach((door, index) => {
    const least = fewest(box[index] as Range);
    add(available, door.from, -float(takenBy(door, least)));
    add(have, door.from, -float(takenBy(door, least)));
    add(have, door.to, float(broughtBy(door, least)));
  });
  const missPrice = missPriceOf(goal);
  const rows = pots.map(({ low, high }, index): Rows => {
    const held = have[index] as number;
    return {
      take: table.row(Math.max(0, available[index] as number)),
      low: low === undefined ? undefined : edge(table, held - float(low), missPrice),
      high: high === undefined ? undefined : edge(table, float(high) - held, missPrice),
    };
  });
  const columns = doors.map((door, index) => {
    const range = box[index] as Range;
    if (range.high <= fewest(range)) return undefined;
    const growth = (of: (door: ProgramDoor, lots: number) => bigint): number =>
      float(of(door, range.high) - of(door, fewest(range)));
    const column = table.column(goal.kind === "missed" ? 0 : growth(costOf));
    table.add(table.row(1), column, 1);
    flow(table, column, rows[door.from] as Rows, -growth(takenBy));
    flow(table, column, rows[door.to] as Rows, growth(broughtBy));
    table.add((rows[door.from] as Rows).take, column, growth(takenBy));
    return column;
  });
  const { values, prices } = relax(table.relaxation());
  const lots = doors.map((_, index) => {
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
function unitOf({ pots, doors }: Program): number {
  const sizes = [
    ...pots.flatMap(({ available, have }) => [Number(available), Math.abs(Number(have))]),
    ...doors.map((door) => Number(takenBy(door, door.max))),
  ];
  return Math.max(1, ...sizes);
}

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

  relaxation(): Relaxation {
    const rows = this.#rows.map((cells) => {
      const row = new Float64Array(this.#cost.length);
      for (const [column, amount] of cells) row[column] = amount;
      return row;
    });
    return { rows, limits: Float64Array.from(this.#limits), cost: Float64Array.from(this.#cost) };
  }
}

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

function relax({ rows, limits, cost }: Relaxation): Relaxed {
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
