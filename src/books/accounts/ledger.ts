// Double-entry ledger. Every amount that enters one account leaves another, so each asset sums to zero over all
// accounts: holdings always equal opening plus trades less fees and cannot drift from them.

import type { Asset } from "../../domain/asset.ts";
import { invariant } from "../../domain/invariant.ts";
import { Money } from "../../domain/money/money.ts";

/** `holdings` and `inFlight` are our money; the other accounts record its origin or destination. */
export type Account = "holdings" | "inFlight" | "adopted" | "trades" | "mints" | "outside" | "fees";
const ACCOUNTS: readonly Account[] = ["holdings", "inFlight", "adopted", "trades", "mints", "outside", "fees"];

type Row = Record<Account, Money | undefined>;

export type SavedLedger = readonly (readonly [Asset, Partial<Row>])[];

export class Ledger {
  /** Counts entries; holdings are unchanged while it is equal. */
  version = 0;
  readonly #rows = new Map<Asset, Row>();

  constructor(saved?: SavedLedger) {
    for (const [asset, totals] of saved ?? []) Object.assign(this.#row(asset), totals);
    for (const asset of this.#rows.keys())
      invariant(
        this.imbalance(asset).isZero(),
        `saved ledger must balance, was off by ${this.imbalance(asset)} ${asset}`,
      );
  }

  /** Moves an amount from one account to another; a negative amount moves back. */
  move(from: Account, to: Account, amount: Money): void {
    this.version++;
    const row = this.#row(amount.asset);
    row[from] = less(row[from], amount);
    row[to] = more(row[to], amount);
  }

  /** Books the gained amount from trades, the sold amount to trades, and the fee to fees. */
  trade(gained: Money, sold: Money, fee: Money): void {
    this.move("trades", "holdings", gained);
    this.move("holdings", "trades", sold);
    this.move("holdings", "fees", fee);
  }

  /** Undefined before the first entry of the asset. */
  total(account: Account, asset: Asset): Money | undefined {
    return this.#rows.get(asset)?.[account];
  }

  /** All totals of an asset as a live row, for callers that read several by name. */
  row(asset: Asset): Readonly<Row> | undefined {
    return this.#rows.get(asset);
  }

  /**
   * Every asset that was ever held or in transit, because each entry is from or to one of these accounts. The set never
   * shrinks.
   */
  assets(): IterableIterator<Asset> {
    return this.#rows.keys();
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Must be zero; any other value means that the books are wrong. */
  imbalance(asset: Asset): Money {
    let sum = Money.zero(asset);
    for (const account of ACCOUNTS) sum = sum.plus(this.total(account, asset) ?? Money.zero(asset));
    return sum;
  }

  save(): SavedLedger {
    return Array.from(this.#rows, ([asset, totals]) => [asset, { ...totals }]);
  }

  #row(asset: Asset): Row {
    const known = this.#rows.get(asset);
    if (known !== undefined) return known;
    const row = Object.fromEntries(ACCOUNTS.map((account) => [account, undefined])) as Row;
    this.#rows.set(asset, row);
    return row;
  }
}

function more(before: Money | undefined, amount: Money): Money {
  return before === undefined ? amount : before.plus(amount);
}

function less(before: Money | undefined, amount: Money): Money {
  return before === undefined ? amount.negated() : before.minus(amount);
}
