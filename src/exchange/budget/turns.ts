// The rule against starving: a want that has waited 59 slots takes the next one, whatever else waits, doubts included.
// Several classes that come due together are served early enough that the last of them is not late either; and wants of
// one class that crowd the queue take only every second slot by age, so that age never becomes the only order.

const slotsWaitedMax = 59;
/** As long as nobody has waited for so many, it is nobody's turn: there are fewer classes than are left then. */
export const TURN_SLOTS_MIN = 45;

type Turn = { readonly rank: number; readonly since: number; readonly order: number };

export interface Turns {
  /** A slot is being filled, `slot` were granted before it. */
  look(slot: number): void;
  waiting(turn: Turn): void;
  /** The order number of the want whose turn it is by age, if any. */
  due(): number | undefined;
  served(turn: Turn, slot: number): void;
}

export function createTurns(ranks: number): Turns {
  return new AgedTurns(ranks);
}

class AgedTurns implements Turns {
  readonly #ranks: number;
  /** Per rank: when it was last served, and its longest-waiting want at this look. */
  readonly #servedAt: Float64Array;
  readonly #oldestSince: Float64Array;
  readonly #oldestOrder: Float64Array;
  readonly #left: Float64Array;
  #slot = 0;
  #eldest: number | undefined = undefined;
  #eldestSince = 0;
  #agedAt = Number.NEGATIVE_INFINITY;

  constructor(ranks: number) {
    this.#ranks = ranks;
    this.#servedAt = new Float64Array(ranks).fill(Number.NEGATIVE_INFINITY);
    this.#oldestSince = new Float64Array(ranks);
    this.#oldestOrder = new Float64Array(ranks);
    this.#left = new Float64Array(ranks);
  }

  look(at: number): void {
    this.#slot = at;
    this.#eldest = undefined;
    // There are eight: calling `fill` for them takes longer than filling.
    for (let rank = 0; rank < this.#ranks; rank++) this.#oldestOrder[rank] = 0;
  }

  waiting({ rank, since, order }: Turn): void {
    if (this.#oldestOrder[rank] === 0 || since < (this.#oldestSince[rank] ?? 0)) {
      this.#oldestOrder[rank] = order;
      this.#oldestSince[rank] = since;
    }
    if (this.#slot - since >= slotsWaitedMax && (this.#eldest === undefined || since < this.#eldestSince)) {
      this.#eldest = order;
      this.#eldestSince = since;
    }
  }

  due(): number | undefined {
    const rank = this.#pressedRank();
    if (rank !== undefined) return this.#oldestOrder[rank];
    return this.#slot - this.#agedAt > 1 ? this.#eldest : undefined;
  }

  served({ rank, since }: Turn, at: number): void {
    this.#servedAt[rank] = at + 1;
    if (at - since >= slotsWaitedMax) this.#agedAt = at;
  }

  /** The class nearest to its limit, when waiting any longer would make one of the classes late. */
  #pressedRank(): number | undefined {
    const left = this.#left;
    let nearest: number | undefined;
    let waiting = 0;
    for (let rank = 0; rank < this.#ranks; rank++) {
      if (this.#oldestOrder[rank] === 0) {
        left[rank] = Number.POSITIVE_INFINITY;
        continue;
      }
      waiting += 1;
      const since = Math.max(this.#oldestSince[rank] ?? 0, this.#servedAt[rank] ?? 0);
      left[rank] = since + slotsWaitedMax + 1 - this.#slot;
      if (nearest === undefined || (left[rank] ?? 0) < (left[nearest] ?? 0)) nearest = rank;
    }
    // The usual case, and a cheap one: nobody is near enough for the others to matter.
    if (nearest === undefined || (left[nearest] ?? 0) > waiting) return undefined;
    // With k classes that must be served within k slots, one of them must be served now.
    for (let k = 1; k <= waiting; k++) {
      let within = 0;
      for (let rank = 0; rank < this.#ranks; rank++) if ((left[rank] ?? 0) <= k) within += 1;
      if (within >= k) return nearest;
    }
    return undefined;
  }
}
