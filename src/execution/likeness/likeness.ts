// What a difference between venue and books is like: something of ours, named for whoever reads of it.

import type { Asset } from "../../domain/asset.ts";
import type { Money } from "../../domain/money/money.ts";
import type { Fill } from "../../domain/order.ts";
import type { Millis } from "../../domain/time.ts";
import { feeMaxOf } from "../payment/arrivals.ts";

/** Empty texts and lists where the differences are like nothing of ours. */
export type Likeness = {
  /** To follow the text of the differences. */
  readonly text: string;
  /** Which mint, payment or order each is like, and in what way. */
  readonly finding: string;
  /** Money of ours, which must not be taken over. */
  readonly own: readonly OwnMoney[];
  /** Orders that were given up, and that may have filled after all: who ordered them was told that they had not. */
  readonly filled?: readonly string[];
};

/**
 * A difference that is money of ours: what a mint or payment under way took is back, which a person closes; or the balances are
 * behind, which is waited for.
 */
export type OwnMoney = {
  /** Of the mint, the payment or the order. */
  readonly id: string;
  readonly text: string;
  /** What leads out instead of taking over. */
  readonly command: string;
  /** Why it is not to be taken over. */
  readonly refusal: string;
  /** The assets in which it differs. */
  readonly assets: readonly Asset[];
  /** Fills that are booked and that the balances do not show: it is money of ours only where the history shows all of them. */
  readonly fills?: readonly Fill[];
  /** Of a fill: to take it over all the same is to say that the venue undid it, and who ordered it was not told so. */
  readonly mayBeUndone?: boolean;
  /** What a stop for it alone is about: the same words however much of it is still missing, and in which assets. */
  readonly subject?: string;
};

/** Until when the balances may fail to show what left at a time; undefined where they must show it by now. */
export type LateUntil = (left: Millis | undefined) => Millis | undefined;

export function isSame(one: Money, other: Money): boolean {
  return one.asset === other.asset && one.equals(other);
}

/** Whether it is what was to come, with no more missing than a fee. */
export function isLessFee(difference: Money, change: Money): boolean {
  return !change.isNegative() && difference.lessThan(change) && difference.atLeast(change.minus(feeMaxOf(change)));
}

/** By asset. */
export function summed(amounts: readonly Money[]): readonly Money[] {
  const sums = new Map<Asset, Money>();
  for (const one of amounts) sums.set(one.asset, sums.get(one.asset)?.plus(one) ?? one);
  return [...sums.values()];
}
