// What became of orders that are too old to be kept whole: two bits each, so that ids of ours are known and a late fill of
// one that was given up is recognised for as long as the journal goes back.

/** Beyond it the bits of one series would take more room than the ids themselves are likely to. */
const COUNT_MAX = 2 ** 24;

export type PastOrder = "unknown" | "filled" | "given-up";

export class PastOrders {
  /** By the part of the id before its count. */
  readonly #series = new Map<string, Bits>();
  /** Ids of another form. */
  readonly #others = new Map<string, PastOrder>();

  remember(id: string, end: Exclude<PastOrder, "unknown">): void {
    const count = countOf(id);
    if (count === 0) {
      this.#others.set(id, end);
      return;
    }
    const series = id.slice(0, dashOf(id));
    const bits = this.#series.get(series) ?? new Bits();
    this.#series.set(series, bits);
    bits.set(2 * count);
    if (end === "given-up") bits.set(2 * count + 1);
  }

  find(id: string): PastOrder {
    // Every new order asks, and for long nothing is old.
    if (this.#series.size + this.#others.size === 0) return "unknown";
    const count = countOf(id);
    if (count === 0) return this.#others.get(id) ?? "unknown";
    const bits = this.#series.get(id.slice(0, dashOf(id)));
    if (bits === undefined || !bits.has(2 * count)) return "unknown";
    return bits.has(2 * count + 1) ? "given-up" : "filled";
  }
}

function dashOf(id: string): number {
  return id.lastIndexOf("-");
}

/** Ids end in a count; 0 where one does not. Only its one way of being written counts, so that two ids never share a place. */
function countOf(id: string): number {
  const dash = dashOf(id);
  if (dash <= 0 || id.length - dash > 9) return 0;
  let count = 0;
  for (let i = dash + 1; i < id.length; i++) {
    const digit = id.charCodeAt(i) - ZERO;
    const isDigit = digit >= 0 && digit <= 9;
    if (!isDigit || (count === 0 && digit === 0)) return 0;
    count = 10 * count + digit;
  }
  return count < COUNT_MAX ? count : 0;
}

const ZERO = 48;

class Bits {
  #words = new Uint32Array(4);

  set(index: number): void {
    const word = index >>> 5;
    if (word >= this.#words.length) {
      const more = new Uint32Array(Math.max(word + 1, 2 * this.#words.length));
      more.set(this.#words);
      this.#words = more;
    }
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (index & 31));
  }

  has(index: number): boolean {
    return ((this.#words[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
  }
}
