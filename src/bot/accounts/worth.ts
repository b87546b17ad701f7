// What the accounts are worth in one currency. An asset without a price makes the sum unknown, by name; what is on its way
// (pending at the venue) is shown apart.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { Money, type Price } from "../../domain/money/money.ts";
import type { RateRange } from "../../market/rate.ts";
import type { Accounts } from "./accounts.ts";
import type { Tied } from "./movements.ts";

type RateOf = (asset: Asset) => Price | undefined;

export type NetWorth = {
  readonly currency: Asset;
  /** Undefined when something held has no price. */
  readonly total: Money | undefined;
  /** Pending at the venue; part of neither available nor spendable. */
  readonly inFlight: Money | undefined;
  readonly unpriced: readonly Asset[];
};

export function netWorth(accounts: Accounts, currency: Asset, rateOf: RateOf): NetWorth {
  const unpriced = new Set<Asset>();
  const sum = (amountOf: (asset: Asset) => Money | undefined): Money | undefined => {
    let total: Money | undefined = Money.zero(currency);
    for (const asset of accounts.assets) {
      const amount = amountOf(asset);
      if (amount === undefined || amount.isZero()) continue;
      const rate = rateOf(asset);
      if (rate === undefined) unpriced.add(asset);
      total = rate && total?.plus(amount.valued(rate, currency, "down"));
    }
    return total;
  };
  const total = sum((asset) => accounts.held(asset));
  const inFlight = sum((asset) => accounts.balance(asset)?.pending);
  return { currency, total, inFlight, unpriced: [...unpriced] };
}

/** What an order or a mint would lose at worst at such rates if it filled: zero or less, for not filling may be the worse; undefined without a rate. */
export function lossIfFilled(
  { leaves, comes }: Tied,
  currency: Asset,
  rangeOf: (asset: Asset) => RateRange | undefined,
): Money | undefined {
  const out = rangeOf(leaves.asset);
  const back = rangeOf(comes.asset);
  if (out === undefined || back === undefined) return undefined;
  const gain = comes.valued(back.low, currency, "down").minus(leaves.valued(out.high, currency, "up"));
  return gain.isNegative() ? gain : Money.zero(currency);
}

/** What open positions would bring at these prices, over what they cost; pairs without a price are left out, by name. */
export function unrealised(
  accounts: Accounts,
  priceOf: (symbol: PairSymbol) => Price | undefined,
): { readonly gains: ReadonlyMap<PairSymbol, Money>; readonly unpriced: readonly PairSymbol[] } {
  const gains = new Map<PairSymbol, Money>();
  const unpriced: PairSymbol[] = [];
  for (const [symbol, { amount, cost }] of accounts.profit.positions) {
    if (amount.isZero()) continue;
    const price = priceOf(symbol);
    if (price === undefined) unpriced.push(symbol);
    else gains.set(symbol, amount.valued(price, cost.asset, "down").minus(cost));
  }
  return { gains, unpriced };
}
