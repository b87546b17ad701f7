// A random path that is a pure function of (seed, time): the values at both ends of the longest interval are drawn
// first, then the middle given the ends, and so on down to one grid cell (Lévy's construction; the conditional law of
// the middle is exact for both laws). Any cell can be read at any time at the cost of LEVELS draws; going forward cell
// by cell costs about one draw, because the last descent is cached.

import { InvariantViolation } from "../../domain/invariant.ts";
import { normal, type Stream } from "./noise.ts";

/** Volatility and standard deviation in units of the value (a logarithm: 0.01 is about 1 %). */
export type Law =
  /** Brownian motion, zero at cell 0. */
  | { readonly kind: "walk"; readonly perYear: number }
  /** Ornstein-Uhlenbeck around zero, stationary. */
  | { readonly kind: "reverting"; readonly deviation: number; readonly halfLifeMs: number };

const LEVELS = 34;
const ROOT_CELLS = 2 ** LEVELS;
const YEAR_MS = 365.25 * 86_400_000;
/** The cells of a node, by level. */
const CELLS = Float64Array.from({ length: LEVELS + 1 }, (_, level) => 2 ** (LEVELS - level));
/** Draw indices are level * 2^35 + node. */
const LEVEL_DRAWS = 2 ** 35;

/** The numbers per level and their positions; the left end is at position 0. */
const STRIDE = 4;
const RIGHT = 1;
const WEIGHT = 2;
const DEVIATION = 3;

export class Path {
  private readonly stream: Stream;
  /**
   * For each level: the values at both ends of its node on the descent to the last cell, then the weight and the
   * deviation of its middle. All in one array, because this is what long runs read most from a market, each time with a
   * cold cache.
   */
  private readonly way = new Float64Array(STRIDE * (LEVELS + 1));
  // The end of the cached descent: the first cell of the node at this level.
  private lastCell = 0;
  private lastLevel = 0;

  constructor(stream: Stream, law: Law, gridMs: number) {
    this.stream = stream;
    const { way } = this;
    for (let level = 0; level < LEVELS; level++) {
      const { weight, deviation } = middleOf(law, (CELLS[level] as number) * gridMs);
      way[level * STRIDE + WEIGHT] = weight;
      way[level * STRIDE + DEVIATION] = deviation;
    }
    const { first, last } = endsOf(law, gridMs, (index) => normal(stream, index));
    way[0] = first;
    way[RIGHT] = last;
  }

  /** The value at the start of cell `cell`, 0 <= cell < 2^34. */
  at(cell: number): number {
    // Not invariant(): it would build the message on every call.
    if (!(Number.isInteger(cell) && cell >= 0 && cell < ROOT_CELLS))
      throw new InvariantViolation(`a path knows cells 0 to 2^${LEVELS} - 1, was ${cell}`);
    const { way, stream, lastCell } = this;
    // Start at the deepest cached node that contains the cell; the root contains all cells.
    let level = this.lastLevel;
    while (Math.floor(cell / (CELLS[level] as number)) !== Math.floor(lastCell / (CELLS[level] as number))) level--;
    let place = level * STRIDE;
    let left = way[place] as number;
    let right = way[place + RIGHT] as number;
    // Descend until the cell is the start of a node: the value at a node's left end is known.
    for (;;) {
      const cells = CELLS[level] as number;
      const node = Math.floor(cell / cells);
      const into = cell - node * cells;
      if (into === 0) break;
      const draw = normal(stream, level * LEVEL_DRAWS + node);
      const middle = (way[place + WEIGHT] as number) * (left + right) + (way[place + DEVIATION] as number) * draw;
      if (into < cells / 2) right = middle;
      else left = middle;
      level++;
      place += STRIDE;
      way[place] = left;
      way[place + RIGHT] = right;
    }
    this.lastCell = cell;
    this.lastLevel = level;
    return left;
  }
}

/** The middle of a node of this length, given its ends: weight * (left + right) + deviation * normal. */
function middleOf(law: Law, lengthMs: number): { readonly weight: number; readonly deviation: number } {
  if (law.kind === "walk") return { weight: 0.5, deviation: (law.perYear * Math.sqrt(lengthMs / YEAR_MS)) / 2 };
  const kept = 2 ** (-lengthMs / 2 / law.halfLifeMs);
  return {
    weight: kept / (1 + kept * kept),
    deviation: law.deviation * Math.sqrt((1 - kept * kept) / (1 + kept * kept)),
  };
}

/** The ends of the root. Level 0 has only one node, so draws 1 and 2 are free for its ends. */
function endsOf(
  law: Law,
  gridMs: number,
  draw: (index: number) => number,
): { readonly first: number; readonly last: number } {
  if (law.kind === "walk")
    return { first: 0, last: law.perYear * Math.sqrt((ROOT_CELLS * gridMs) / YEAR_MS) * draw(2) };
  const kept = 2 ** ((-ROOT_CELLS * gridMs) / law.halfLifeMs);
  const first = law.deviation * draw(1);
  return { first, last: kept * first + law.deviation * Math.sqrt(1 - kept * kept) * draw(2) };
}
