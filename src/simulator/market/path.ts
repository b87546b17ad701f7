// A random path that is a pure function of (seed, time): the value at both ends of the longest interval is drawn first,
// then the middle given the ends, and so on down to one cell of the grid (Lévy's construction; the conditional law of
// the middle is exact for both laws). Any cell can be asked at any time at the cost of LEVELS draws; going forward cell
// by cell costs about one, because the way down is remembered.

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
/** Cells are looked at as two words of bits: whole numbers of a float, but not of an integer. */
const WORD_BITS = 32;
const WORD = 2 ** WORD_BITS;
const YEAR_MS = 365.25 * 86_400_000;
/** Indices of draws: level * 2^35 + node, so that the upper word has the level from this bit on. */
const LEVEL_BIT = 35 - WORD_BITS;

/** From this level on what is below a node fits into a word. */
const WORD_LEVEL = LEVELS - WORD_BITS + 1;

/** Numbers per level, and their places; the left end is the first. */
const STRIDE = 4;
const RIGHT = 1;
const WEIGHT = 2;
const DEVIATION = 3;

export class Path {
  private readonly stream: Stream;
  /**
   * Per level the values at both ends of its node on the way to the last cell, then the weight and the deviation of its
   * middle: in one array, because a long run asks a market for this most, and each time finds the memory cold.
   */
  private readonly way = new Float64Array(STRIDE * (LEVELS + 1));
  // Where the remembered way ends: the cell that the node of this level begins with.
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
    // Not by invariant(): the text would be made on every call.
    if (!(Number.isInteger(cell) && cell >= 0 && cell < ROOT_CELLS))
      throw new InvariantViolation(`a path knows cells 0 to 2^${LEVELS} - 1, was ${cell}`);
    const { way, stream, lastLevel } = this;
    // Said to be integers wherever they are: so the loop has no floats but the values.
    const high = Math.floor(cell / WORD) | 0;
    const low = cell | 0;
    // From the deepest node on the remembered way that holds the cell; the root holds them all.
    const common = high === this.lastHigh ? LEVELS - WORD_BITS + Math.clz32(low ^ this.lastLow) : 0;
    let level = Math.min(lastLevel, common) | 0;
    // Down until the cell is where a node begins: the value at a node's left end is known.
    const end = levelThatBegins(low, high) | 0;
    if (level < WORD_LEVEL) level = this.fromTheTop(cell, level, Math.min(end, WORD_LEVEL)) | 0;
    else if (level < lastLevel && level < end) level = this.parted(low, level) | 0;
    let place = level * STRIDE;
    let left = way[place] as number;
    let right = way[place + RIGHT] as number;
    while (level < end) {
      // A node's number is what is left of the cell's without so many bits.
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

  /** One level down where the last way took the other child: the end of that one is the middle, which was drawn. */
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

  /** Through the nodes that are too long for one word. */
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

/** The level of the largest node that begins with this cell, whose two words are given: its bits below are all zero. */
function levelThatBegins(low: number, high: number): number {
  if (low !== 0) return LEVELS - zerosBelow(low);
  return high === 0 ? 0 : LEVELS - WORD_BITS - zerosBelow(high);
}

function zerosBelow(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** The middle of a node so long, given its ends: weight * (left + right) + deviation * normal. */
function middleOf(law: Law, lengthMs: number): { readonly weight: number; readonly deviation: number } {
  if (law.kind === "walk") return { weight: 0.5, deviation: (law.perYear * Math.sqrt(lengthMs / YEAR_MS)) / 2 };
  const kept = 2 ** (-lengthMs / 2 / law.halfLifeMs);
  return {
    weight: kept / (1 + kept * kept),
    deviation: law.deviation * Math.sqrt((1 - kept * kept) / (1 + kept * kept)),
  };
}

/** Of the root. At level 0 there is one node only: draws 1 and 2 are free for its ends. */
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
