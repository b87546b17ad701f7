// What the accounts are worth in one currency. An asset without a price makes the sum unknown, by name; what is in flight is
// shown apart, and a cautious figure takes something off it.

import type { Asset } from "../../domain/asset.ts";
import { fiatOf } from "../../domain/coin.ts";
import { Money, Price } from "../../domain/money/money.ts";
import type { Flight } from "../../domain/movement.ts";
import { isHeld } from "../../domain/settlement-status.ts";
import type { AccountsView } from "../../risk/rule.ts";

type RateOf = (asset: Asset) => Price | undefined;

/** Taken off what is in flight, in basis points: it may come late, or less of it. */
export type Haircuts = { readonly bps: number; readonly heldBps: number };

export type NetWorth = {
  readonly currency: Asset;
  /** On account: fiat that some coin stands for, and everything else. */
  readonly cash: Money | undefined;
  readonly tokens: Money | undefined;
  /** The part of both that is tied up by what is approved and open. */
  readonly reserved: Money | undefined;
  /** Gone from one asset and not arrived in the other; never spendable. */
  readonly inFlight: Money | undefined;
  readonly haircut: Money | undefined;
  /** All of it; undefined when something held has no price. */
  readonly total: Money | undefined;
  /** The same value less the haircut. */
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

/** Rounded up: rather too careful. */
export function haircutOf({ comes, status }: Flight, { bps, heldBps }: Haircuts): Money {
  return comes.share(isHeld(status) ? heldBps : bps, "up");
}
