// Where money of ours lies: `VCHF` and `CHF` are balances at the venue, `VCHF@ETH` a wallet of ours on a chain, `CHF@BANK`
// an account at a bank. A plan moves money from pot to pot.

import { type Asset, parseAsset } from "../../domain/asset.ts";
import type { Money } from "../../domain/money/money.ts";
import { unwrap } from "../../domain/result.ts";

declare const potBrand: unique symbol;
export type PotName = string & { readonly [potBrand]: true };

/** The place of money that lies in a bank. */
export const BANK = "BANK";

/** What lies at the venue has no place. */
export function potOf(asset: Asset, place?: string): PotName {
  return (place === undefined ? asset : `${asset}@${place}`) as PotName;
}

export function assetOf(pot: PotName): Asset {
  return unwrap(parseAsset(pot.split("@")[0]));
}

export function isAtVenue(pot: PotName): boolean {
  return !pot.includes("@");
}

export type Holding = {
  readonly pot: PotName;
  /** May be spent now. */
  readonly available: Money;
  /** Ours, but bound: open orders, and the part that is never spent. */
  readonly bound: Money;
  readonly inFlight: readonly Arrival[];
};

/** On its way here. Counted as coming, so that it is not asked for twice; never spent. */
export type Arrival = {
  readonly amount: Money;
  readonly what: string;
};

/** What a pot shall end within; either edge may be missing. */
export type Band = Edges & {
  readonly pot: PotName;
  /** The band that it has left, where it is brought back to its target: that is what people call its band. */
  readonly left?: Edges | undefined;
};

type Edges = { readonly low: Money | undefined; readonly high: Money | undefined };

/** As it is configured. */
export function edgesOf({ low, high, left = { low, high } }: Band): Edges {
  return left;
}
