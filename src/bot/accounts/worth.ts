// The value of the accounts in one currency. An asset without a price makes the sum unknown and is listed by name;
// money in transit is shown separately, and the cautious figure takes a haircut off it.

import type { Asset } from "../../domain/asset.ts";
import { fiatOf } from "../../domain/coin.ts";
import { Money, Price } from "../../domain/money/money.ts";
import type { Flight } from "../../domain/movement.ts";
import { isHeld } from "../../domain/settlement-status.ts";
import type { AccountsView } from "../../risk/rule.ts";

type RateOf = (asset: Asset) => Price | undefined;

/** The haircut on money in transit, in basis points: it may arrive late or short. */
export type Haircuts = { readonly bps: number; readonly heldBps: number };

export type NetWorth = {
  readonly currency: Asset;
  /** On account: fiat that backs a coin, and all other assets. */
  readonly cash: Money | undefined;
  readonly tokens: Money | undefined;
  /** The part of both that approved open requests reserve. */
  readonly reserved: Money | undefined;
  /** Left one asset and not yet arrived in the other; never spendable. */
  readonly inFlight: Money | undefined;
  readonly haircut: Money | undefined;
  /** The sum of the above; undefined if a holding has no price. */
  readonly total: Money | undefined;
  /** The total less the haircut. */
  readonly cautious: Money | undefined;
  readonly unpriced: readonly Asset[];
};

type Owned = Pick<AccountsView, "assets" | "settled" | "inFlight" | "flights" | "held" | "heldAtLeast">;

export function netWorth(accounts: Owned, currency: Asset, rateOf: RateOf, haircuts: Haircuts): NetWorth {
  const unpriced = new Set<Asset>();
  const valued = (amount: Money): Money | undefined => {
    const rate = amount.asset === currency ? PAR : rateOf(amount.asset);
    if (rate === undefined) unpriced.add(amount.asset);
    return rate && amount.valued(rate, currency, "down");
  };
  const sum = (amounts: Iterable<Money | undefined>): Money | undefined => {
    let total: Money | undefined = Money.zero(currency);
    for (const amount of amounts)
      if (amount !== undefined && !amount.isZero()) {
        const value = valued(amount);
        total = value && total?.plus(value);
      }
    return total;
  };
  const { assets } = accounts;
  const fiats = new Set(assets.flatMap((asset) => fiatOf(asset) ?? []));
  const cash = sum(assets.filter((asset) => fiats.has(asset)).map((asset) => accounts.settled(asset)));
  const tokens = sum(assets.filter((asset) => !fiats.has(asset)).map((asset) => accounts.settled(asset)));
  const reserved = sum(assets.map((asset) => reservedOf(accounts, asset)));
  const inFlight = sum(assets.map((asset) => accounts.inFlight(asset)));
  const haircut = sum(Array.from(accounts.flights(), (flight) => haircutOf(flight, haircuts)));
  const total = cash && tokens && inFlight && cash.plus(tokens).plus(inFlight);
  const cautious = total && haircut && total.minus(haircut);
  return { currency, cash, tokens, reserved, inFlight, haircut, total, cautious, unpriced: [...unpriced] };
}

const PAR = Price.of("1");

function reservedOf(accounts: Owned, asset: Asset): Money | undefined {
  const least = accounts.heldAtLeast(asset);
  return least && accounts.held(asset)?.minus(least);
}

/** Rounded up, to err on the careful side. */
export function haircutOf({ comes, status }: Flight, { bps, heldBps }: Haircuts): Money {
  return comes.share(isHeld(status) ? heldBps : bps, "up");
}
