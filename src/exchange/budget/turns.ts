// The rule against starving: a want that has waited 59 slots takes the next one, whatever else waits, doubts included.
// Several classes that come due together are served early enough that the last of them is not late either; and wants of
// one class that crowd the queue take only every second slot by age, so that age never becomes the only order.

const slotsWaitedMax = 59;

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
  /** Per rank: when it was last served, and its longest-waiting want at this look. */
  const servedAt = new Float64Array(ranks).fill(Number.NEGATIVE_INFINITY);
  const oldestSince = new Float64Array(ranks);
  const oldestOrder = new Float64Array(ranks);
  const left = new Float64Array(ranks);
  let slot = 0;
  let eldest: number | undefined;
  let eldestSince = 0;
  let agedAt = Number.NEGATIVE_INFINITY;

  /** The class nearest to its limit, when waiting any longer would make one of the classes late. */
  function pressedRank(): number | undefined {
    let nearest: number | undefined;
    let waiting = 0;
    for (let rank = 0; rank < ranks; rank++) {
      if (oldestOrder[rank] === 0) {
        left[rank] = Number.POSITIVE_INFINITY;
        continue;
      }
      waiting += 1;
      const since = Math.max(oldestSince[rank] ?? 0, servedAt[rank] ?? 0);
      left[rank] = since + slotsWaitedMax + 1 - slot;
      if (nearest === undefined || (left[rank] ?? 0) < (left[nearest] ?? 0)) nearest = rank;
    }
    // The usual case, and a cheap one: nobody is near enough for the others to matter.
    if (nearest === undefined || (left[nearest] ?? 0) > waiting) return undefined;
    // With k classes that must be served within k slots, one of them must be served now.
    for (let k = 1; k <= waiting; k++) {
      let within = 0;
      for (let rank = 0; rank < ranks; rank++) if ((left[rank] ?? 0) <= k) within += 1;
      if (within >= k) return nearest;
    }
    return undefined;
  }

  return {
    look(at) {
      slot = at;
      eldest = undefined;
      oldestOrder.fill(0);
    },
    waiting({ rank, since, order }) {
      if (oldestOrder[rank] === 0 || since < (oldestSince[rank] ?? 0)) {
        oldestOrder[rank] = order;
        oldestSince[rank] = since;
      }
      if (slot - since >= slotsWaitedMax && (eldest === undefined || since < eldestSince)) {
        eldest = order;
        eldestSince = since;
      }
    },
    due() {
      const rank = pressedRank();
      if (rank !== undefined) return oldestOrder[rank];
      return slot - agedAt > 1 ? eldest : undefined;
    },
    served({ rank, since }, at) {
      servedAt[rank] = at + 1;
      if (at - since >= slotsWaitedMax) agedAt = at;
    },
  };
}
