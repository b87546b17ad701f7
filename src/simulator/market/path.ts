// A random path that is a pure function of (seed, time): the values at both ends of the longest interval are drawn
// first, then the middle given the ends, and so on down to one grid cell (Lévy's construction; the conditional law of
// the middle is exact for both laws). Any cell can be read at any time at the cost of LEVELS draws; going forward cell
// by cell costs about one draw, because the last descent is cached.

import { InvariantViolation } from "../../domain/invariant.ts";
import { normal, normalOf, type Stream } from "./noise.ts";

/** Volatility and standard deviation in units of the value (a logarithm: 0.01 is about 1 %). */
export type Law =
  /** Brownian motion, zero at cell 0. */
  | { readonly kind: "walk"; readonly perYear: number }
  /** Ornstein-Uhlenbeck around zero, stationary. */
  | { readonly kind: "reverting"; readonly deviation: number; readonly halfLifeMs: number };

const LEVELS = 34;
const ROOT_CELLS = 2 ** LEVELS;
/**
 * Cell numbers exceed 32 bits, so they are split into two words: a float holds them exactly, a 32-bit integer does not.
 */
const WORD_BITS = 32;
const WORD = 2 ** WORD_BITS;
const YEAR_MS = 365.25 * 86_400_000;
/** Draw indices are level * 2^35 + node, so the level starts at this bit of the upper word. */
const LEVEL_BIT = 35 - WORD_BITS;

/** From this level on, the offset within a node fits into one word. */
const WORD_LEVEL = LEVELS - WORD_BITS + 1;

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
  private lastLow = 0;
  private lastHigh = 0;
  private lastLevel = 0;

  constructor(stream: Stream, law: Law, gridMs: number) {
    this.stream = stream;
    const { way } = this;
    for (let level = 0; level < LEVELS; level++) {
      const { weight, deviation } = middleOf(law, 2 ** (LEVELS - level) * gridMs);
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
    const { way, stream, lastLevel } = this;
    // Coerced to integers everywhere, so that the only floats in the loop are the values.
    const high = Math.floor(cell / WORD) | 0;
    const low = cell | 0;
    // Start at the deepest cached node that contains the cell; the root contains all cells.
    const common = high === this.lastHigh ? LEVELS - WORD_BITS + Math.clz32(low ^ this.lastLow) : 0;
    let level = Math.min(lastLevel, common) | 0;
    // Descend until the cell is the start of a node: the value at a node's left end is known.
    const end = levelThatBegins(low, high) | 0;
    if (level < WORD_LEVEL) level = this.fromTheTop(cell, level, Math.min(end, WORD_LEVEL)) | 0;
    else if (level < lastLevel && level < end) level = this.parted(low, level) | 0;
    let place = level * STRIDE;
    let left = way[place] as number;
    let right = way[place + RIGHT] as number;
    while (level < end) {
      // The node number is the cell number without its lowest `bits` bits.
      const bits = (LEVELS - level) | 0;
      const nodeLow = (low >>> bits) | (high << (WORD_BITS - bits));
      const draw = normalOf(stream, nodeLow, ((level << LEVEL_BIT) + (high >>> bits)) | 0);
      const middle = (way[place + WEIGHT] as number) * (left + right) + (way[place + DEVIATION] as number) * draw;
      if (((low >>> (bits - 1)) & 1) === 0) right = middle;
      else left = middle;
      level++;
      place += STRIDE;
      way[place] = left;
      way[place + RIGHT] = right;
    }
    this.lastLow = low;
    this.lastHigh = high;
    this.lastLevel = level;
    return left;
  }

  /**
   * Descends one level where the cached descent took the other child: the shared end is the middle, which is already
   * drawn.
   */
  private parted(low: number, level: number): number {
    const { way } = this;
    const place = level * STRIDE;
    const child = place + STRIDE;
    if (((low >>> (LEVELS - level - 1)) & 1) === 0) {
      way[child + RIGHT] = way[child] as number;
      way[child] = way[place] as number;
    } else {
      way[child] = way[child + RIGHT] as number;
      way[child + RIGHT] = way[place + RIGHT] as number;
    }
    return level + 1;
  }

  /** Descends through the nodes that are too long for one word. */
  private fromTheTop(cell: number, from: number, to: number): number {
    const { way } = this;
    for (let level = from; level < to; level++) {
      const half = 2 ** (LEVELS - level - 1);
      const draw = normal(this.stream, level * 2 ** (LEVEL_BIT + WORD_BITS) + Math.floor(cell / half / 2));
      const place = level * STRIDE;
      const left = way[place] as number;
      const right = way[place + RIGHT] as number;
      const middle = (way[place + WEIGHT] as number) * (left + right) + (way[place + DEVIATION] as number) * draw;
      const isLeft = Math.floor(cell / half) % 2 === 0;
      way[place + STRIDE] = isLeft ? left : middle;
      way[place + STRIDE + RIGHT] = isLeft ? middle : right;
    }
    return Math.max(from, to);
  }
}

/** The level of the largest node that starts with this cell, given as two words: all lower bits are zero. */
function levelThatBegins(low: number, high: number): number {
  if (low !== 0) return LEVELS - zerosBelow(low);
  return high === 0 ? 0 : LEVELS - WORD_BITS - zerosBelow(high);
}

function zerosBelow(word: number): number {
  return 31 - Math.clz32(word & -word);
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
