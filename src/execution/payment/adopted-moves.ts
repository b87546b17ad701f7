// What adoptions took over, asset by asset. A payment that the venue lists only afterwards, dated before, was in it: it is not booked
// again. Each has room for as much as it took over, and no more.

import type { Asset } from "../../domain/asset.ts";
import type { Money } from "../../domain/money/money.ts";
import type { CoveredMove } from "../../domain/movement.ts";
import type { Millis } from "../../domain/time.ts";
import type { Movement } from "../balance-vote.ts";

type Taken = { readonly at: Millis; readonly left: Map<Asset, Money> };

export class AdoptedMoves {
  readonly #adoptions: Taken[] = [];

  add(at: Millis, amounts: readonly Money[]): void {
    const left = amounts.filter((amount) => !amount.isZero());
    if (left.length > 0) this.#adoptions.push({ at, left: new Map(left.map((amount) => [amount.asset, amount])) });
  }

  /**
   * The adoption that took this movement over; undefined where none did. `at`: when it happened, by the venue; a movement without a time is
   * taken to be later than every adoption. `isAll`: only an adoption that took over nothing else of that asset counts.
   */
  covering(at: Millis | undefined, { least, most }: Movement, isAll = false): CoveredMove | undefined {
    if (at === undefined) return undefined;
    for (const taken of this.#adoptions) {
      const left = taken.left.get(most.asset);
      if (at > taken.at || left === undefined) continue;
      const isIn = most.isNegative() ? left.atMost(most) : left.atLeast(least);
      const isOther = isAll && (left.lessThan(least) || left.moreThan(most));
      if (isIn && !isOther) return { at: taken.at, amount: most.isNegative() ? most : left.min(most) };
    }
    return undefined;
  }

  take({ at, amount }: CoveredMove): void {
    for (const taken of this.#adoptions) {
      const left = taken.left.get(amount.asset);
      if (taken.at === at && left !== undefined) taken.left.set(amount.asset, left.minus(amount));
    }
  }
}
