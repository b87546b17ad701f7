// A random path that is a pure function of (seed, time): the value at both ends of the longest interval is drawn first,
// then the middle given the ends, and so on down to one cell of the grid (Lévy's construction; the conditional law of
// the middle is exact for both laws). Any cell can be asked at any time at the cost of LEVELS draws; going forward cell
// by cell costs about one, because the way down is remembered.

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
/** Bits are compared in words of 32. */
const WORD = 2 ** 32;
/** Cells of one node, per level. */
const SIZES = Float64Array.from({ length: LEVELS + 1 }, (_, level) => 2 ** (LEVELS - level));
const YEAR_MS = 365.25 * 86_400_000;
/** Indices of draws: level * STRIDE + node. */
const STRIDE = 2 ** 35;

export interface Path {
  /** The value at the start of cell `cell`, 0 <= cell < 2^34. */
  at(cell: number): number;
}

export function createPath(stream: Stream, law: Law, gridMs: number): Path {
  const { weight, deviation, first, last } = bridgeOf(law, gridMs, (index) => normal(stream, index));
  const node = new Float64Array(LEVELS + 1).fill(-1);
  const left = new Float64Array(LEVELS + 1);
  const right = new Float64Array(LEVELS + 1);
  const middle = new Float64Array(LEVELS + 1);
  node[0] = 0;
  left[0] = first;
  right[0] = last;
  middle.fill(Number.NaN);
  // Where the remembered way ends: the cell that the node of this level begins with.
  let lastCell = 0;
  let lastLevel = 0;

  return {
    at(cell) {
      // Not by invariant(): the text would be made on every call.
      if (!(Number.isInteger(cell) && cell >= 0 && cell < ROOT_CELLS))
        throw new InvariantViolation(`a path knows cells 0 to 2^${LEVELS} - 1, was ${cell}`);
      // From the deepest node on the remembered way that holds the cell; the root holds them all.
      let level = Math.min(lastLevel, levelOfBoth(lastCell, cell));
      // Down until the cell is where a node begins: the value at a node's left end is known.
      let at = node[level] as number;
      let from = left[level] as number;
      let to = right[level] as number;
      let begin = at * (SIZES[level] as number);
      while (cell !== begin) {
        let value = middle[level] as number;
        if (Number.isNaN(value)) {
          const draw = normal(stream, level * STRIDE + at);
          value = (weight[level] as number) * (from + to) + (deviation[level] as number) * draw;
          middle[level] = value;
        }
        level++;
        const half = SIZES[level] as number;
        at *= 2;
        if (cell >= begin + half) {
          begin += half;
          at++;
          from = value;
        } else to = value;
        node[level] = at;
        left[level] = from;
        right[level] = to;
        middle[level] = Number.NaN;
      }
      lastCell = cell;
      lastLevel = level;
      return from;
    },
  };
}

/** The level of the smallest node that holds both cells: as deep as the bits that they begin with are the same. */
function levelOfBoth(one: number, other: number): number {
  const isNear = Math.floor(one / WORD) === Math.floor(other / WORD);
  return isNear ? LEVELS - 32 + Math.clz32((one | 0) ^ (other | 0)) : 0;
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
  // Indices below STRIDE at level 0 are one node only: 1 and 2 are free for the ends.
  if (law.kind === "walk")
    return { weight, deviation, first: 0, last: law.perYear * Math.sqrt((ROOT_CELLS * gridMs) / YEAR_MS) * draw(2) };
  const kept = 2 ** ((-ROOT_CELLS * gridMs) / law.halfLifeMs);
  const first = law.deviation * draw(1);
  return { weight, deviation, first, last: kept * first + law.deviation * Math.sqrt(1 - kept * kept) * draw(2) };
}
