// A random path that is a pure function of (seed, time): the value at both ends of the longest interval is drawn first,
// then the middle given the ends, and so on down to one cell of the grid (Lévy's construction; the conditional law of
// the middle is exact for both laws). Any cell can be asked at any time at the cost of LEVELS draws; going forward cell
// by cell costs about one, because the way down is remembered.

import { invariant } from "../../domain/invariant.ts";
import { normal } from "./noise.ts";

/** Volatility and standard deviation in units of the value (a logarithm: 0.01 is about 1 %). */
export type Law =
  /** Brownian motion, zero at cell 0. */
  | { readonly kind: "walk"; readonly perYear: number }
  /** Ornstein-Uhlenbeck around zero, stationary. */
  | { readonly kind: "reverting"; readonly deviation: number; readonly halfLifeMs: number };

const LEVELS = 34;
const ROOT_CELLS = 2 ** LEVELS;
const YEAR_MS = 365.25 * 86_400_000;
/** Indices of draws: level * STRIDE + node. */
const STRIDE = 2 ** 35;

export interface Path {
  /** The value at the start of cell `cell`, 0 <= cell < 2^34. */
  at(cell: number): number;
}

export function createPath(seed: number, stream: number, law: Law, gridMs: number): Path {
  const { weight, deviation, first, last } = bridgeOf(law, gridMs, (index) => normal(seed, stream, index));
  const node = new Float64Array(LEVELS + 1).fill(-1);
  const left = new Float64Array(LEVELS + 1);
  const right = new Float64Array(LEVELS + 1);
  const middle = new Float64Array(LEVELS + 1);
  node[0] = 0;
  left[0] = first;
  right[0] = last;
  middle.fill(Number.NaN);

  function middleOf(level: number): number {
    const known = middle[level] as number;
    if (!Number.isNaN(known)) return known;
    const draw = normal(seed, stream, level * STRIDE + (node[level] as number));
    const value =
      (weight[level] as number) * ((left[level] as number) + (right[level] as number)) +
      (deviation[level] as number) * draw;
    middle[level] = value;
    return value;
  }

  return {
    at(cell) {
      invariant(cell >= 0 && cell < ROOT_CELLS, `a path knows cells 0 to 2^${LEVELS} - 1, was ${cell}`);
      let level = LEVELS;
      let index = cell;
      while (node[level] !== index) {
        level--;
        index = Math.floor(index / 2);
      }
      let size = 2 ** (LEVELS - level);
      while (level < LEVELS) {
        size /= 2;
        const child = Math.floor(cell / size);
        const value = middleOf(level);
        const isRight = child % 2 === 1;
        left[level + 1] = isRight ? value : (left[level] as number);
        right[level + 1] = isRight ? (right[level] as number) : value;
        middle[level + 1] = Number.NaN;
        node[level + 1] = child;
        level++;
      }
      return left[LEVELS] as number;
    },
  };
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
