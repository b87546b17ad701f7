// Differences between venue and ledger over time. One that nothing explains freezes its asset at once. It halts the bot
// when a second answer shows it too and late balances can no longer be the reason.

import type { Asset } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import type { Money } from "../domain/money/money.ts";
import type { Mono } from "../domain/time.ts";
import type { Nonce } from "../exchange/port.ts";
import type { Totals } from "./totals.ts";

const NONE: readonly never[] = Object.freeze([]);

type Mismatch = { readonly difference: Money; readonly since: Mono; readonly answers: number };

export class TotalsWatch {
  readonly #seen = new Set<Asset>();
  /** When money of it last moved, as far as we know. */
  readonly #movedAt = new Map<Asset, Mono>();
  #mismatches: ReadonlyMap<Asset, Mismatch> = new Map();
  #unknown: readonly Asset[] = [];
  /** Of the last answer. */
  #nonce: Nonce | undefined;
  /** In the order of the last answer, where it named everything that was ever named, and once. */
  #names: readonly Asset[] = NONE;

  /** Assets that the venue has named. */
  get expected(): ReadonlySet<Asset> {
    return this.#seen;
  }

  /** A second answer must agree before anything follows. */
  get isToBeSeenAgain(): boolean {
    for (const { answers } of this.#mismatches.values()) if (answers === 1) return true;
    return false;
  }

  moved(assets: readonly Asset[], at: Mono): void {
    for (const asset of assets) this.#movedAt.set(asset, at);
  }

  /** Every asset that was ever named is there, whole, and is what the ledger says, to the last digit. What is not so is for `see`. */
  agree(rows: readonly Balance[], nonce: Nonce | undefined, held: (asset: Asset) => Money | undefined): boolean {
    const names = this.#names;
    if (rows.length !== names.length || rows.length !== this.#seen.size) return false;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as Balance;
      if (row.asset !== names[i] || !isExact(row, held(row.asset))) return false;
    }
    this.#nonce = nonce;
    this.#unknown = NONE;
    if (this.#mismatches.size > 0) this.#mismatches = new Map();
    return true;
  }

  /** Why the bot must stop, if it must. */
  see(
    { unexplained, unknown, negative }: Totals,
    { rows, nonce }: { readonly rows: readonly Balance[]; readonly nonce: Nonce | undefined },
    now: Mono,
    patienceMs: number,
  ): string | undefined {
    for (const { asset } of rows) this.#seen.add(asset);
    const names = rows.map(({ asset }) => asset);
    this.#names = new Set(names).size === names.length ? names : NONE;
    // Several may have asked for one answer, and each brings it: it is still one.
    const more = nonce !== undefined && nonce === this.#nonce ? 0 : 1;
    this.#nonce = nonce;
    this.#unknown = unknown;
    this.#mismatches = new Map(
      unexplained.map((difference) => {
        const before = this.#mismatches.get(difference.asset);
        return [
          difference.asset,
          { difference, since: before?.since ?? now, answers: before === undefined ? 1 : before.answers + more },
        ];
      }),
    );
    const [below] = negative;
    if (below !== undefined)
      return `balances must not be negative, were ${below.available} available and ${below.pending ?? "an unknown amount"} pending of ${below.asset}`;
    const due = [...this.#mismatches.values()].filter((one) => this.#isDue(one, now, patienceMs));
    if (due.length === 0) return undefined;
    const shown = due.map(({ difference }) => `${difference} ${difference.asset}`).join(", ");
    return `the venue's balances differ from the ledger by ${shown}, which no order of ours explains`;
  }

  frozen(): { readonly assets: readonly Asset[]; readonly reason: string } | undefined {
    if (this.#unknown.length + this.#mismatches.size === 0) return undefined;
    const [unknown] = this.#unknown;
    const [mismatch] = this.#mismatches.values();
    if (mismatch === undefined && unknown === undefined) return undefined;
    const assets = [...this.#mismatches.keys(), ...this.#unknown];
    const reason =
      mismatch === undefined
        ? `the venue does not say what there is of ${unknown}`
        : `the venue's balances differ from the ledger by ${mismatch.difference} ${mismatch.difference.asset}`;
    return { assets, reason };
  }

  #isDue({ difference, since, answers }: Mismatch, now: Mono, patienceMs: number): boolean {
    if (answers < 2) return false;
    const movedAt = this.#movedAt.get(difference.asset);
    return movedAt === undefined || now - movedAt >= patienceMs || now - since >= patienceMs;
  }
}

function isExact({ available, pending }: Balance, ledger: Money | undefined): boolean {
  if (pending === undefined || available.isNegative() || pending.isNegative()) return false;
  const total = pending.isZero() ? available : available.plus(pending);
  return ledger === undefined ? total.isZero() : total.equals(ledger);
}
