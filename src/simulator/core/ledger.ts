// Double entry: every amount that moves leaves one pocket and enters another, so the pockets of an asset always sum to
// zero. Callers' pockets never go below zero; those of the core, the issuer and the outside world may.

import type { Asset } from "../../domain/asset.ts";
import { InvariantViolation, invariant } from "../../domain/invariant.ts";
import { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { PostingRow } from "./record.ts";

export type Pocket = {
  readonly name: string;
  readonly asset: Asset;
  /** A caller's pocket: never below zero. */
  readonly guarded: boolean;
  amount: Money;
};

/** The cause of a posting, for the dump. */
export type Cause = { readonly what: string; readonly reference: string; readonly at: Millis };

export type Posting = {
  readonly seq: number;
  readonly cause: Cause;
  readonly from: Pocket;
  readonly to: Pocket;
  readonly amount: Money;
  /** As saved; made once. */
  row: PostingRow | undefined;
};

export type LedgerState = {
  readonly seq: number;
  readonly pockets: readonly { name: string; asset: Asset; guarded: boolean; amount: string }[];
  readonly postings: readonly PostingRow[];
};

export class Ledger {
  private readonly pockets = new Map<string, Pocket>();
  private readonly retainedMax: number;
  private postings: Posting[] = [];
  /** The number of postings: while it is unchanged, no pocket has changed. */
  seq = 0;
  /** The time of the last posting. */
  lastAt = 0;

  constructor(retainedMax: number, saved?: LedgerState) {
    this.retainedMax = retainedMax;
    if (saved === undefined) return;
    this.seq = saved.seq;
    for (const { name, asset, guarded, amount } of saved.pockets)
      this.pocket(name, asset, guarded).amount = Money.of(amount, asset);
    for (const row of saved.postings) this.postings.push(this.loaded(row));
    this.lastAt = this.postings.at(-1)?.cause.at ?? 0;
  }

  private pocket(name: string, asset: Asset, guarded: boolean): Pocket {
    const id = `${name} ${asset}`;
    const known = this.pockets.get(id);
    if (known !== undefined) return known;
    const pocket: Pocket = { name, asset, guarded, amount: Money.zero(asset) };
    this.pockets.set(id, pocket);
    return pocket;
  }

  /** The pockets of one holder, with cached lookups. */
  pocketsOf(name: string, guarded = false): (asset: Asset) => Pocket {
    const known = new Map<Asset, Pocket>();
    return (asset) => {
      let pocket = known.get(asset);
      if (pocket === undefined) {
        pocket = this.pocket(name, asset, guarded);
        known.set(asset, pocket);
      }
      return pocket;
    };
  }

  move(from: Pocket, to: Pocket, amount: Money, cause: Cause): void {
    if (amount.isZero()) return;
    invariant(amount.isPositive(), "a posting must move a positive amount");
    const left = from.amount.minus(amount);
    if (from.guarded && left.isNegative())
      throw new InvariantViolation(`${from.name} must not go below zero, ${from.amount} less ${amount} ${from.asset}`);
    // Both sums are computed first: an amount of another asset throws before anything changes.
    const gained = to.amount.plus(amount);
    from.amount = left;
    to.amount = gained;
    this.lastAt = cause.at;
    this.postings.push({ seq: ++this.seq, cause, from, to, amount, row: undefined });
    // Cut in blocks, so that dropping costs nothing per posting.
    if (this.postings.length >= 2 * this.retainedMax) this.postings = this.postings.slice(-this.retainedMax);
  }

  /** The amount of a pocket at `at`: the present amount with later postings undone. */
  heldAt(pocket: Pocket, at: Millis): Money {
    let held = pocket.amount;
    for (let i = this.postings.length - 1; i >= 0; i--) {
      const posting = this.postings[i] as Posting;
      if (posting.cause.at <= at) break;
      if (posting.from === pocket) held = held.plus(posting.amount);
      else if (posting.to === pocket) held = held.minus(posting.amount);
    }
    return held;
  }

  /** The retained postings, oldest first; optionally of one holder. */
  rows(holder?: string): readonly PostingRow[] {
    const kept = this.postings.slice(-this.retainedMax);
    if (holder === undefined) return kept.map(rowOf);
    const names = [`${holder}:available`, `${holder}:pending`];
    return kept.filter(({ from, to }) => names.includes(from.name) || names.includes(to.name)).map(rowOf);
  }

  save(): LedgerState {
    const pockets = [...this.pockets.values()].map(({ name, asset, guarded, amount }) => ({
      name,
      asset,
      guarded,
      amount: amount.toString(),
    }));
    // All of them: without the oldest, each posting would move every row to another place.
    return { seq: this.seq, pockets, postings: this.postings.map(rowOf) };
  }

  private loaded(row: PostingRow): Posting {
    const { seq, at, what, reference, asset } = row;
    const amount = Money.of(row.amount, asset);
    return {
      seq,
      cause: { what, reference, at },
      from: this.pocket(row.from, asset, false),
      to: this.pocket(row.to, asset, false),
      amount,
      row,
    };
  }
}

function rowOf(posting: Posting): PostingRow {
  const { seq, cause, from, to, amount } = posting;
  posting.row ??= {
    seq,
    at: cause.at,
    what: cause.what,
    reference: cause.reference,
    from: from.name,
    to: to.name,
    asset: amount.asset,
    amount: amount.toString(),
  };
  return posting.row;
}
