// An account's balances: one row per listed asset, zeros included. As they stand now, a row is the same object until one
// of its amounts changes, and the list until one of its rows does.

import type { Asset } from "../../domain/asset.ts";
import type { Millis } from "../../domain/time.ts";
import type { Ledger, Pocket } from "./ledger.ts";
import type { BalanceRow } from "./record.ts";

type Pockets = Readonly<Record<"available" | "pending", (asset: Asset) => Pocket>>;

export class Statement {
  private readonly ledger: Ledger;
  private readonly available: readonly Pocket[];
  private readonly pending: readonly Pocket[];
  private rows: readonly BalanceRow[];
  private seq: number;

  constructor(ledger: Ledger, assets: readonly Asset[], { available, pending }: Pockets) {
    this.ledger = ledger;
    this.available = assets.map(available);
    this.pending = assets.map(pending);
    this.rows = assets.map((_, i) => this.row(i));
    this.seq = ledger.seq;
  }

  at(at: Millis): readonly BalanceRow[] {
    if (this.ledger.lastAt <= at) return this.now();
    return this.available.map((pocket, i) => ({
      asset: pocket.asset,
      available: this.ledger.heldAt(pocket, at),
      pending: this.ledger.heldAt(this.pending[i] as Pocket, at),
    }));
  }

  private now(): readonly BalanceRow[] {
    const { seq } = this.ledger;
    if (seq === this.seq) return this.rows;
    this.seq = seq;
    let changed: BalanceRow[] | undefined;
    for (let i = 0; i < this.rows.length; i++) {
      const { available, pending } = this.rows[i] as BalanceRow;
      if (available === this.available[i]?.amount && pending === this.pending[i]?.amount) continue;
      changed ??= this.rows.slice();
      changed[i] = this.row(i);
    }
    if (changed !== undefined) this.rows = changed;
    return this.rows;
  }

  private row(i: number): BalanceRow {
    const { asset, amount } = this.available[i] as Pocket;
    return { asset, available: amount, pending: (this.pending[i] as Pocket).amount };
  }
}
