// Randomness as a function: the same stream and index always give the same number, in any order and number of calls.
// This makes prices independent of when they are read.

declare const streamBrand: unique symbol;
/** The start of a sequence of draws, derived from a seed and a name. */
export type Stream = number & { readonly [streamBrand]: true };

export function streamOf(seed: number, name: string): Stream {
  let word = mixed((seed | 0) ^ mixed(Math.floor(seed / 0x1_0000_0000)) ^ 0x9e3779b9);
  for (let i = 0; i < name.length; i++) word = mixed(Math.imul(word, 0x01000193) ^ name.charCodeAt(i));
  return word as Stream;
}

/** In [0, 1). `index` may be any whole number from 0 to 2^53. */
export function uniform(stream: Stream, index: number): number {
  return (hashOf(stream, index | 0, Math.floor(index / 0x1_0000_0000)) >>> 0) / 0x1_0000_0000;
}

/**
 * Standard normal as the sum of eight bytes: fast, and close enough to normal (excess kurtosis -0.15, never beyond 4.9)
 * for paths that add up many draws.
 */
export function normal(stream: Stream, index: number): number {
  const one = hashOf(stream, index | 0, Math.floor(index / 0x1_0000_0000));
  const other = mixed(one ^ 0x5bd1e995);
  // Two sums at once, one in each half of the word: four bytes sum to at most 1,020.
  const pairs = (one & BYTES) + ((one >>> 8) & BYTES) + (other & BYTES) + ((other >>> 8) & BYTES);
  return ((pairs & 0xffff) + (pairs >>> 16) - MEAN) * SCALE;
}

/** Every second byte of a word. */
const BYTES = 0x00ff00ff;
/** The mean of a sum of eight bytes from 0 to 255. */
const MEAN = 8 * 127.5;
const SCALE = 1 / Math.sqrt((8 * (256 * 256 - 1)) / 12);

function hashOf(stream: Stream, low: number, high: number): number {
  return mixed((mixed(stream ^ low) + high) | 0);
}

/** A bijection of 32-bit words in which every input bit affects every output bit (the lowbias32 constants). */
function mixed(word: number): number {
  let bits = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return bits ^ (bits >>> 16);
}
