// Finds the cheapest plan by branch and bound over a linear relaxation. Holdings should end within bounds, and routes
// move whole lots between them; the total miss is minimised first, then the cost. Scores are exact integers in one unit
// of value; floats only bound and guess.

import { invariant } from "../../domain/invariant.ts";

export type ProgramHolding = {
  /** The amount that routes may take from it. */
  readonly available: bigint;
  /** The amount before the plan, including all money in transit. */
  readonly have: bigint;
  readonly low: bigint | undefined;
  readonly high: bigint | undefined;
};

/** Used with a whole number of lots from min to max, or not at all. */
export type ProgramRoute = {
  readonly from: number;
  readonly to: number;
  readonly min: number;
  readonly max: number;
  /** Per lot. */
  readonly takes: bigint;
  readonly brings: bigint;
  readonly cost: bigint;
  /** Once, if the route is used at all. */
  readonly keeps: bigint;
  readonly costOnce: bigint;
  readonly exclusive: Exclusive | undefined;
};

/**
 * Of a group's routes only those of one side are used: a coin has one mint at a time, and a pair is not traded both
 * ways.
 */
export type Exclusive = { readonly group: string; readonly side: string };

export type Program = { readonly holdings: readonly ProgramHolding[]; readonly routes: readonly ProgramRoute[] };

export type Solution = {
  /** The lots through each route. */
  readonly lots: readonly number[];
  /** True if no solution is better by more than the tolerance. Otherwise the search ended early. */
  readonly proven: boolean;
  /** The number of boxes searched. */
  readonly looked: number;
};

export type SearchSettings = {
  /** Values that differ by less count as equal. */
  readonly tolerance: bigint;
  readonly boxesMax: number;
};

/** `missed`: minimises the total miss. `cost`: minimises the cost while the miss is at most `missedMax`. */
type Goal = { readonly kind: "missed" } | { readonly kind: "cost"; readonly missedMax: bigint };

/** A number of lots from low to high; or zero, if `mayRest`. */
type Range = { readonly mayRest: boolean; readonly low: number; readonly high: number };
type Box = readonly Range[];

const CLOSED: Range = { mayRest: true, low: 0, high: 0 };
const NOISE = 1e-11;
/** A guess is a float: a value within this distance of a whole number counts as whole. */
const HAIR = 1e-7;

export function solve(program: Program, settings: SearchSettings): Solution {
  for (const { min, max } of program.routes)
    invariant(min >= 1 && Number.isSafeInteger(min) && Number.isSafeInteger(max), "lots must be whole, from 1");
  const nothing = program.routes.map(() => 0);
  const reached = search(program, { kind: "missed" }, nothing, settings);
  const missedMax = measure(program, reached.lots, { kind: "missed" }) as bigint;
  const cheapest = search(program, { kind: "cost", missedMax }, reached.lots, settings);
  return {
    lots: cheapest.lots,
    proven: reached.proven && cheapest.proven,
    looked: reached.looked + cheapest.looked,
  };
}

function search(program: Program, goal: Goal, first: readonly number[], settings: SearchSettings): Solution {
  let best = first;
  let bestValue = measure(program, first, goal) as bigint;
  const boxes: Box[] = [
    program.routes.map(({ min, max }) => (max < min ? CLOSED : { mayRest: true, low: min, high: max })),
  ];
  let looked = 0;
  for (; boxes.length > 0; looked++) {
    if (looked >= settings.boxesMax) return { lots: best, proven: false, looked };
    if (goal.kind === "missed" && bestValue === 0n) break;
    const box = boxes.pop() as Box;
    const guess = relax(program, box, goal);
    if (guess === undefined) continue;
    for (const rounding of [Math.floor, Math.round, Math.ceil]) {
      const lots = rounded(program, box, guess.lots, rounding);
      const value = measure(program, lots, goal);
      if (value === undefined || value >= bestValue) continue;
      best = lots;
      bestValue = value;
    }
    if (guess.least + settings.tolerance < bestValue) boxes.push(...split(program, box, guess.lots));
  }
  return { lots: best, proven: true, looked };
}

/** Undefined for a plan that takes more than is available, or misses more than allowed. */
function measure({ holdings, routes }: Program, lots: readonly number[], goal: Goal): bigint | undefined {
  const { taken, after } = flowsOf({ holdings, routes }, lots);
  if (holdings.some(({ available }, i) => (taken[i] as bigint) > available)) return undefined;
  const missed = sumOf(holdings.map((holding, i) => missedBy(holding, after[i] as bigint)));
  if (goal.kind === "missed") return missed;
  return missed <= goal.missedMax ? sumOf(routes.map((route, i) => costOf(route, lots[i] as number))) : undefined;
}

function flowsOf({ holdings, routes }: Program, lots: readonly number[]) {
  const taken = holdings.map(() => 0n);
  const after = holdings.map(({ have }) => have);
  routes.forEach((route, i) => {
    const count = lots[i] as number;
    const takes = route.takes * BigInt(count);
    taken[route.from] = (taken[route.from] as bigint) + takes;
    after[route.from] = (after[route.from] as bigint) - takes;
    after[route.to] = (after[route.to] as bigint) + broughtBy(route, count);
  });
  return { taken, after };
}

/** A miss that the plan adds counts twice; otherwise a gap would just move to another holding. */
function missedBy(holding: ProgramHolding, after: bigint): bigint {
  const beyond = [
    ...floorsOf(holding).map((floor) => floor - after),
    ...ceilingsOf(holding).map((ceiling) => after - ceiling),
  ];
  return sumOf(beyond.filter((miss) => miss > 0n));
}

function floorsOf({ low, have }: ProgramHolding): readonly bigint[] {
  return low === undefined ? [] : [low, low < have ? low : have];
}

function ceilingsOf({ high, have }: ProgramHolding): readonly bigint[] {
  return high === undefined ? [] : [high, high > have ? high : have];
}

function broughtBy({ brings, keeps }: ProgramRoute, lots: number): bigint {
  return lots === 0 ? 0n : brings * BigInt(lots) - keeps;
}

function costOf({ cost, costOnce }: ProgramRoute, lots: number): bigint {
  return lots === 0 ? 0n : cost * BigInt(lots) + costOnce;
}

function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}

function fewest({ mayRest, low }: Range): number {
  return mayRest ? 0 : low;
}

/** A feasible plan near the guess: whole lots, nothing below a minimum, no two routes that exclude each other. */
function rounded(
  { routes }: Program,
  box: Box,
  guess: readonly number[],
  rounding: (lots: number) => number,
): readonly number[] {
  const used: Exclusive[] = [];
  const order = routes.map((_, index) => index).sort((one, other) => (guess[other] as number) - (guess[one] as number));
  const lots = routes.map(() => 0);
  for (const index of order) {
    const { exclusive } = routes[index] as ProgramRoute;
    const { mayRest, low, high } = box[index] as Range;
    const wanted = guess[index] as number;
    const isWhole = Math.abs(wanted - Math.round(wanted)) <= HAIR;
    const count = isWhole ? Math.round(wanted) : rounding(wanted);
    if (mayRest && (count <= 0 || used.some((one) => excludes(one, exclusive)))) continue;
    if (mayRest && count < low && rounding === Math.floor) continue;
    lots[index] = Math.min(high, Math.max(low, count));
    if (exclusive !== undefined) used.push(exclusive);
  }
  return lots;
}

function excludes(one: Exclusive | undefined, other: Exclusive | undefined): boolean {
  return one !== undefined && one.group === other?.group && one.side !== other.side;
}

/** Two smaller boxes, the likelier one last, because it is searched first. */
function split({ routes }: Program, box: Box, guess: readonly number[]): readonly Box[] {
  const doubts = box.map((range, index) => doubtOf(range, guess[index] as number));
  const index = doubts.indexOf(Math.max(...doubts));
  const range = box[index];
  if (range === undefined || doubts[index] === -1) return [];
  const { mayRest, low, high } = range;
  const wanted = guess[index] as number;
  const below = (to: Range): Box => box.map((other, i) => (i === index ? to : other));
  const used = (from: number): Box =>
    below({ mayRest: false, low: from, high }).map((other, i) =>
      excludes(routes[index]?.exclusive, routes[i]?.exclusive) ? CLOSED : other,
    );
  if (mayRest && (wanted < low || low === high))
    return wanted > low / 2 ? [below(CLOSED), used(low)] : [used(low), below(CLOSED)];
  const middle = Math.min(high - 1, Math.max(low, Math.floor(wanted + HAIR)));
  const halves = [below({ mayRest, low, high: middle }), used(middle + 1)];
  return wanted - middle > 0.5 ? halves : halves.reverse();
}

/**
 * How far a route is from a decision: between zero and its minimum, between two whole lots, or just undecided; -1 if
 * decided.
 */
function doubtOf(range: Range, wanted: number): number {
  const { mayRest, low, high } = range;
  if (high <= fewest(range)) return -1;
  const isUsed = wanted > HAIR;
  if (mayRest && isUsed && wanted < low - HAIR) return 3;
  const fraction = wanted - Math.floor(wanted + HAIR);
  if (isUsed && fraction > HAIR) return 1 + Math.min(fraction, 1 - fraction);
  // A fixed cost may still rule out a route that uses whole lots.
  return mayRest && isUsed ? 1 : high > low ? 0.5 : 0;
}

type Guess = {
  /** Lots through each route, possibly fractional or below a minimum. */
  readonly lots: readonly number[];
  /** A lower bound for all plans of the box. */
  readonly least: bigint;
};

/** Relaxes whole lots, minimums and exclusions; undefined if even the fewest lots take more than is available. */
function relax(program: Program, box: Box, goal: Goal): Guess | undefined {
  const { holdings, routes } = program;
  const { taken, after } = flowsOf(program, box.map(fewest));
  if (holdings.some(({ available }, i) => (taken[i] as bigint) > available)) return undefined;
  const unit = unitOf(program);
  const float = (amount: bigint): number => Number(amount) / unit;
  // When minimising cost, a miss costs more than any route.
  const missPrice = goal.kind === "missed" ? 1 : 1_000;
  const columns: Column[] = [];
  const limits: number[] = [];
  let base = 0;
  const row = (limit: number): number => limits.push(limit) - 1;
  /**
   * Beyond the room left to an edge there is a miss: increasing it costs and reducing it gains, up to the whole miss.
   */
  const edge = (room: number): number => {
    const at = row(Math.max(0, room));
    columns.push({ cost: missPrice, cells: [[at, -1]] });
    if (room < 0) {
      const gains: Cell[] = [
        [at, 1],
        [row(-room), 1],
      ];
      columns.push({ cost: -missPrice, cells: gains });
      base -= missPrice * room;
    }
    return at;
  };
  const rows = holdings.map((holding, i) => {
    const held = after[i] as bigint;
    return {
      take: row(float(holding.available - (taken[i] as bigint))),
      floors: floorsOf(holding).map((floor) => edge(float(held - floor))),
      ceilings: ceilingsOf(holding).map((ceiling) => edge(float(ceiling - held))),
    };
  });
  const edges = columns.length;
  const open = routes.flatMap((route, i) => {
    const range = box[i] as Range;
    const least = fewest(range);
    if (goal.kind === "cost") base += float(costOf(route, least));
    if (range.high <= least) return [];
    const takes = float(route.takes * BigInt(range.high - least));
    const brings = float(broughtBy(route, range.high) - broughtBy(route, least));
    // The once-only deduction weighs most on the smallest step, so this is the least that any step brings for its size.
    const bringsLeast = range.mayRest ? (float(broughtBy(route, range.low)) * range.high) / range.low : brings;
    const [from, to] = [rows[route.from], rows[route.to]] as [(typeof rows)[number], (typeof rows)[number]];
    columns.push({
      cost: goal.kind === "missed" ? 0 : float(costOf(route, range.high) - costOf(route, least)),
      cells: [
        [row(1), 1],
        [from.take, takes],
        ...from.floors.map((one): Cell => [one, takes]),
        ...from.ceilings.map((one): Cell => [one, -takes]),
        ...to.floors.map((one): Cell => [one, -brings]),
        ...to.ceilings.map((one): Cell => [one, bringsLeast]),
      ],
    });
    return [i];
  });
  const { values, least } = minimised(limits, columns);
  const lots = box.map(fewest);
  open.forEach((index, i) => {
    const range = box[index] as Range;
    lots[index] = fewest(range) + (values[edges + i] as number) * (range.high - fewest(range));
  });
  const missedMax = goal.kind === "cost" ? missPrice * float(goal.missedMax) : 0;
  return { lots, least: BigInt(Math.floor((base + least - missedMax) * unit)) };
}

/** Scales the largest amount to one. */
function unitOf({ holdings, routes }: Program): number {
  const sizes = [
    ...holdings.flatMap(({ available, have }) => [Number(available), Math.abs(Number(have))]),
    ...routes.map(({ takes, max }) => Number(takes) * max),
  ];
  return Math.max(1, ...sizes);
}

type Cell = readonly [row: number, amount: number];
type Column = { readonly cost: number; readonly cells: readonly Cell[] };

/**
 * Minimises the cost over values >= 0 with every row within its limit, by the simplex method. Limits are not negative,
 * so all zeros is a feasible start.
 */
function minimised(limits: readonly number[], columns: readonly Column[]) {
  const [height, width] = [limits.length, columns.length];
  // Each row ends with its limit; a slack's column replaces that of the variable that entered for it.
  const table = limits.map((limit) => new Float64Array(width + 1).fill(limit, width));
  columns.forEach(({ cells }, j) => {
    for (const [i, amount] of cells) (table[i] as Float64Array)[j] = ((table[i] as Float64Array)[j] as number) + amount;
  });
  const goal = Float64Array.from([...columns.map(({ cost }) => cost), 0]);
  /** Variables are numbered first, then slacks. */
  const basis = Array.from({ length: height }, (_, i) => width + i);
  const free = Array.from({ length: width }, (_, j) => j);
  const turnsMax = 50 * (height + width);
  for (let turn = 0; turn < turnsMax; turn++) {
    // The steepest column enters; after many iterations the first one does, which cannot cycle.
    const column = entering(goal, width, turn > turnsMax / 2);
    const row = column < 0 ? -1 : leaving(table, column, width, basis);
    if (row < 0) break;
    pivot(table, goal, row, column);
    [basis[row], free[column]] = [free[column] as number, basis[row] as number];
  }
  const values = new Float64Array(width);
  basis.forEach((variable, i) => {
    if (variable < width) values[variable] = Math.max(0, table[i]?.[width] as number);
  });
  return { values, least: -(goal[width] as number) };
}

function entering(goal: Float64Array, width: number, first: boolean): number {
  const costs = goal.subarray(0, width);
  if (first) return costs.findIndex((cost) => cost < -NOISE);
  const least = costs.reduce((one, other) => Math.min(one, other), -NOISE);
  return least < -NOISE ? costs.indexOf(least) : -1;
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

function pivot(table: readonly Float64Array[], goal: Float64Array, at: number, column: number): void {
  const row = table[at] as Float64Array;
  const by = 1 / (row[column] as number);
  for (let j = 0; j < row.length; j++) row[j] = (row[j] as number) * by;
  row[column] = by;
  for (const other of [...table, goal]) {
    if (other === row) continue;
    const factor = other[column] as number;
    if (factor === 0) continue;
    for (let j = 0; j < row.length; j++) other[j] = (other[j] as number) - factor * (row[j] as number);
    other[column] = -factor * by;
  }
}
