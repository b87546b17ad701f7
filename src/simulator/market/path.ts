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

export interface Path {
  /** The value at the start of cell `cell`, 0 <= cell < 2^34. */
  at(cell: number): number;
}

export function createPath(stream: Stream, law: Law, gridMs: number): Path {
  const { weight, deviation, first, last } = bridgeOf(law, gridMs, (index) => normal(stream, index));
  // Of the node of each level on the way to the last cell: the values at its ends, and in its middle once that was drawn.
  const left = new Float64Array(LEVELS + 1);
  const right = new Float64Array(LEVELS + 1);
  const middle = new Float64Array(LEVELS + 1).fill(Number.NaN);
  left[0] = first;
  right[0] = last;
  // Where the remembered way ends: the cell that the node of this level begins with.
  let lastLow = 0;
  let lastHigh = 0;
  let lastLevel = 0;

  return {
    at(cell) {
      // Not by invariant(): the text would be made on every call.
      if (!(Number.isInteger(cell) && cell >= 0 && cell < ROOT_CELLS))
        throw new InvariantViolation(`a path knows cells 0 to 2^${LEVELS} - 1, was ${cell}`);
      // Said to be integers wherever they are: the loop is what a long run asks of a market most.
      const high = Math.floor(cell / WORD) | 0;
      const low = cell | 0;
      // From the deepest node on the remembered way that holds the cell; the root holds them all.
      const common = high === lastHigh ? LEVELS - WORD_BITS + Math.clz32(low ^ lastLow) : 0;
      let level = Math.min(lastLevel, common) | 0;
      // Down until the cell is where a node begins: the value at a node's left end is known.
      const end = levelThatBegins(low, high) | 0;
      let from = left[level] as number;
      let to = right[level] as number;
      while (level < end) {
        let value = middle[level] as number;
        // A node's number is what is left of the cell's without so many bits.
        const bits = (LEVELS - level) | 0;
        if (Number.isNaN(value)) {
          const isLow = bits < WORD_BITS;
          const nodeLow = isLow ? (low >>> bits) | (high << (WORD_BITS - bits)) : high >>> (bits - WORD_BITS);
          const nodeHigh = isLow ? high >>> bits : 0;
          const draw = normalOf(stream, nodeLow, ((level << LEVEL_BIT) + nodeHigh) | 0);
          value = (weight[level] as number) * (from + to) + (deviation[level] as number) * draw;
          middle[level] = value;
        }
        level++;
        const next = bits > WORD_BITS ? high >>> (bits - WORD_BITS - 1) : low >>> (bits - 1);
        if ((next & 1) === 0) to = value;
        else from = value;
        left[level] = from;
        right[level] = to;
        middle[level] = Number.NaN;
      }
      lastLow = low;
      lastHigh = high;
      lastLevel = level;
      return from;
    },
  };
}

/** The level of the largest node that begins with this cell, whose two words are given: its bits below are all zero. */
function levelThatBegins(low: number, high: number): number {
  if (low !== 0) return LEVELS - zerosBelow(low);
  return high === 0 ? 0 : LEVELS - WORD_BITS - zerosBelow(high);
}

function zerosBelow(word: number): number {
  return 31 - Math.clz32(word & -word);
}

type Bridge = {
  readonly weight: Float64Array;
  readonly deviation: Float64Array;
  readonly first: number;
  readonly last: number;
};

/** Middle given the ends, per level: weight * (left + right) + deviation * normal. */
function bridgeOf(law: Law, gridMs: number, draw: (index: number) => number): Bridge {
  const weight = new Float64Array(LEVELS);
  const deviation = new Float64Array(LEVELS);
  for (let level = 0; level < LEVELS; level++) {
    const lengthMs = 2 ** (LEVELS - level) * gridMs;
    if (law.kind === "walk") {
      weight[level] = 0.5;
      deviation[level] = (law.perYear * Math.sqrt(lengthMs / YEAR_MS)) / 2;
    } else {
      const kept = 2 ** (-lengthMs / 2 / law.halfLifeMs);
      weight[level] = kept / (1 + kept * kept);
      deviation[level] = law.deviation * Math.sqrt((1 - kept * kept) / (1 + kept * kept));
    }
  }
  // At level 0 there is one node only: 1 and 2 are free for the ends.
  if (law.kind === "walk")
    return { weight, deviation, first: 0, last: law.perYear * Math.sqrt((ROOT_CELLS * gridMs) / YEAR_MS) * draw(2) };
  const kept = 2 ** ((-ROOT_CELLS * gridMs) / law.halfLifeMs);
  const first = law.deviation * draw(1);
  return { weight, deviation, first, last: kept * first + law.deviation * Math.sqrt(1 - kept * kept) * draw(2) };
}
