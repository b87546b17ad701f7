// Chance as a function: the same seed, stream and index always give the same number, in any order and however often it
// is asked. That is what makes prices independent of who looks when.

/** 32 well-mixed bits. `index` may be any whole number below 2^53. */
export function hash(seed: number, stream: number, index: number): number {
  let word = mixed(seed ^ 0x9e3779b9);
  word = mixed(word + stream);
  word = mixed(word ^ (index | 0));
  return mixed(word + Math.floor(index / 0x1_0000_0000));
}

/** In [0, 1). */
export function uniform(seed: number, stream: number, index: number): number {
  return (hash(seed, stream, index) >>> 0) / 0x1_0000_0000;
}

/** Standard normal, by Box and Muller; the half keeps the logarithm's argument above zero. */
export function normal(seed: number, stream: number, index: number): number {
  const first = hash(seed, stream, index);
  const second = mixed(first ^ 0x5bd1e995);
  const radius = Math.sqrt(-2 * Math.log(((first >>> 0) + 0.5) / 0x1_0000_0000));
  return radius * Math.cos(((second >>> 0) / 0x1_0000_0000) * (2 * Math.PI));
}

/** The number of a stream, from its name. */
export function streamOf(name: string): number {
  let word = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) word = Math.imul(word ^ name.charCodeAt(i), 0x01000193);
  return mixed(word);
}

/** A bijection of 32-bit words in which every bit in reaches every bit out (the lowbias32 constants). */
function mixed(word: number): number {
  let bits = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return bits ^ (bits >>> 16);
}
