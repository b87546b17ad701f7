// Chance as a function: the same stream and index always give the same number, in any order and however often it is
// asked. That is what makes prices independent of who looks when.

declare const streamBrand: unique symbol;
/** Where a sequence of draws begins: made of a seed and a name. */
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
 * Standard normal as the sum of eight bytes: fast, and normal enough (excess kurtosis -0.15, never beyond 4.9) where
 * a path adds up many of them.
 */
export function normal(stream: Stream, index: number): number {
  return normalOf(stream, index | 0, Math.floor(index / 0x1_0000_0000));
}

/** The same for an index in two words, the lower one first. */
export function normalOf(stream: Stream, low: number, high: number): number {
  const one = hashOf(stream, low, high);
  const other = mixed(one ^ 0x5bd1e995);
  // Two sums at once, one in each half of the word: four bytes are 1,020 at most.
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

/** A bijection of 32-bit words in which every bit in reaches every bit out (the lowbias32 constants). */
function mixed(word: number): number {
  let bits = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return bits ^ (bits >>> 16);
}
