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
    const place = placeOf(id);
    if (place === undefined) {
      this.#others.set(id, end);
      return;
    }
    const bits = this.#series.get(place.series) ?? new Bits();
    this.#series.set(place.series, bits);
    bits.set(2 * place.count);
    if (end === "given-up") bits.set(2 * place.count + 1);
  }

  find(id: string): PastOrder {
    const place = placeOf(id);
    if (place === undefined) return this.#others.get(id) ?? "unknown";
    const bits = this.#series.get(place.series);
    if (bits === undefined || !bits.has(2 * place.count)) return "unknown";
    return bits.has(2 * place.count + 1) ? "given-up" : "filled";
  }
}

/** Ids end in a count. Only its one way of being written counts, so that two ids never share a place. */
function placeOf(id: string): { readonly series: string; readonly count: number } | undefined {
  const dash = id.lastIndexOf("-");
  const digits = id.slice(dash + 1);
  const count = Number(digits);
  const isCount = Number.isInteger(count) && count > 0 && count < COUNT_MAX && String(count) === digits;
  return dash > 0 && isCount ? { series: id.slice(0, dash), count } : undefined;
}

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
