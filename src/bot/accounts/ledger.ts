// Double entry. Every amount that enters an account leaves another, so that each asset sums to nothing over all accounts:
// what we hold is what we opened with, traded and paid in fees, and cannot drift from it.

import type { Asset } from "../../domain/asset.ts";
import { invariant } from "../../domain/invariant.ts";
import { Money } from "../../domain/money/money.ts";

/** `holdings` and `inFlight` are ours; the others say where it came from and went. */
export type Account = "holdings" | "inFlight" | "adopted" | "trades" | "mints" | "outside" | "fees";
const ACCOUNTS: readonly Account[] = ["holdings", "inFlight", "adopted", "trades", "mints", "outside", "fees"];

export type SavedLedger = Readonly<Record<Account, Readonly<Record<string, string>>>>;

export class Ledger {
  readonly #totals: Readonly<Record<Account, Map<Asset, Money>>>;

  constructor(saved?: SavedLedger) {
    const loaded = (account: Account): Map<Asset, Money> =>
      new Map(
        Object.entries(saved?.[account] ?? {}).map(([asset, text]) => [asset as Asset, Money.of(text, asset as Asset)]),
      );
    this.#totals = everyAccount(loaded);
    for (const asset of this.#totals.holdings.keys())
      invariant(
        this.imbalance(asset).isZero(),
        `saved ledger must balance, was off by ${this.imbalance(asset)} ${asset}`,
      );
  }

  /** From one account to another; a negative amount goes back. */
  move(from: Account, to: Account, amount: Money): void {
    this.#take(from, amount);
    this.#add(to, amount);
  }

  /** Undefined before the first entry of the asset. */
  total(account: Account, asset: Asset): Money | undefined {
    return this.#totals[account].get(asset);
  }

  totals(account: Account): Iterable<Money> {
    return this.#totals[account].values();
  }

  /** Assets that were ever entered there. */
  size(account: Account): number {
    return this.#totals[account].size;
  }

  /** Zero, or the books are wrong. */
  imbalance(asset: Asset): Money {
    let sum = Money.zero(asset);
    for (const account of ACCOUNTS) sum = sum.plus(this.#totals[account].get(asset) ?? Money.zero(asset));
    return sum;
  }

  save(): SavedLedger {
    const plain = (account: Account): Record<string, string> =>
      Object.fromEntries([...this.#totals[account]].map(([asset, total]) => [asset, total.toString()]));
    return everyAccount(plain);
  }

  #add(account: Account, amount: Money): void {
    const totals = this.#totals[account];
    const before = totals.get(amount.asset);
    totals.set(amount.asset, before === undefined ? amount : before.plus(amount));
  }

  #take(account: Account, amount: Money): void {
    const totals = this.#totals[account];
    const before = totals.get(amount.asset);
    totals.set(amount.asset, before === undefined ? amount.negated() : before.minus(amount));
  }
}

function everyAccount<T>(make: (account: Account) => T): Readonly<Record<Account, T>> {
  return Object.fromEntries(ACCOUNTS.map((account) => [account, make(account)])) as Record<Account, T>;
}
