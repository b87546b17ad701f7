// Chance is an input too: one seed, one history. A fork is an independent stream named by its purpose, so that drawing
// more numbers in one place does not shift every other place.

import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

export interface Random {
  /** Uniform in [0, 1), 32 bits. */
  next(): number;
  /** Uniform integer in [low, high]. */
  integer(low: number, high: number): number;
  /** Standard normal. */
  normal(): number;
  fork(purpose: string): Random;
}

export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed | 0);
  const next = (): number => (generator.next() >>> 0) / 0x1_0000_0000;
  let spare: number | undefined;
  return {
    next,
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
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
    fork: (purpose) => createRandom(hash32(`${seed}:${purpose}`)),
  };
}

/** FNV-1a: spreads a name over 32 bits; not for secrets. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
