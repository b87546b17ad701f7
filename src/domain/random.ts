// Randomness is an input, too: one seed, one history. A fork is an independent stream named by its purpose, so that
// drawing more numbers in one place does not shift any other. A stream is saved as plain data and resumes from it.

import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import { invariant } from "./invariant.ts";

export interface Random {
  /** Uniform in [0, 1), 32 bits. */
  next(): number;
  /** Uniform integer in [low, high]; the bounds are at most 2^32 - 1 apart. */
  integer(low: number, high: number): number;
  /** Standard normal. */
  normal(): number;
  /** Depends on this stream's origin and the purpose, not on the numbers drawn. */
  fork(purpose: string): Random;
  save(): RandomState;
}

/** Plain data for JSON. */
export type RandomState = {
  /** The initial state of the stream: forks derive from it. */
  readonly origin: readonly number[];
  /** The current state. */
  readonly state: readonly number[];
  /** The second value of the last pair of normals, if not used yet. */
  readonly spare: number | undefined;
};

export function createRandom(seed: number): Random {
  invariant(Number.isSafeInteger(seed), `seed must be a safe whole number, was ${seed}`);
  const origin = hash128(`seed:${seed}`, SEED_ORIGIN);
  return loadRandom({ origin, state: origin, spare: undefined });
}

/** Resumes a saved stream. */
export function loadRandom(saved: RandomState): Random {
  invariant(isState(saved.origin) && isState(saved.state), "random state must be two times four 32-bit integers");
  invariant(
    saved.spare === undefined || Number.isFinite(saved.spare),
    "random state must have a finite spare, or none",
  );
  const origin = [...saved.origin];
  const generator = xoroshiro128plusFromState(saved.state);
  const next = (): number => (generator.next() >>> 0) / 0x1_0000_0000;
  let spare = saved.spare;
  return {
    next,
    integer(low, high) {
      const count = high - low + 1;
      invariant(count >= 1 && count <= 0x1_0000_0000, `a range must hold 1 to 2^32 integers, was ${low} to ${high}`);
      return low + Math.floor(next() * count);
    },
    normal() {
      if (spare !== undefined) {
        const value = spare;
        spare = undefined;
        return value;
      }
      // Box-Muller; 1 - next() keeps the logarithm's argument above zero.
      const radius = Math.sqrt(-2 * Math.log(1 - next()));
      const angle = 2 * Math.PI * next();
      spare = radius * Math.sin(angle);
      return radius * Math.cos(angle);
    },
    fork(purpose) {
      const state = hash128(purpose, origin);
      return loadRandom({ origin: state, state, spare: undefined });
    },
    save: () => ({ origin, state: [...generator.getState()], spare }),
  };
}

/** Four arbitrary words: the start of every seed's hash. */
const SEED_ORIGIN: readonly number[] = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344];

/**
 * Spreads a name and its parent's 128 bits over 128 bits, so that two streams collide with a chance of one in 2^64 and
 * neighbouring seeds do not begin alike (the generator's own seeding gives seeds 1 and 2 almost the same first draw).
 * Not for secrets.
 */
function hash128(text: string, parent: readonly number[]): number[] {
  const words = [...parent];
  for (let i = 0; i < text.length + 8; i++) {
    const code = i < text.length ? text.charCodeAt(i) : text.length;
    for (let w = 0; w < 4; w++) {
      const mixed = Math.imul((words[w] as number) ^ code ^ (i << 16), MULTIPLIER[w] as number);
      words[w] = ((mixed ^ (mixed >>> 15)) + (words[(w + 3) & 3] as number)) | 0;
    }
  }
  for (let w = 0; w < 4; w++) words[w] = avalanche(words[w] as number);
  // With four zeros the generator would stay at zero.
  if (!isState(words)) words[0] = 1;
  return words;
}

const MULTIPLIER: readonly number[] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f];

/** The finaliser of MurmurHash3: every input bit affects every output bit. */
function avalanche(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function isState(words: readonly number[]): boolean {
  return words.length === 4 && words.every((word) => word === (word | 0)) && words.some((word) => word !== 0);
}
