// Where in a box the best plan seems to lie, and what more room in each pot would be worth there: the program as a
// relaxation in floats, without whole lots, with fixed costs spread over all that a door can move.

import { type Box, fewest, type Goal, missPriceOf, type Range } from "./box.ts";
import { broughtBy, costOf, type Program, type ProgramDoor, takenBy } from "./program.ts";
import { type Relaxation, relax } from "./relaxation.ts";

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
