// Looks at equity between trades without making an object of it: in floats, at most once per interval of event time. It
// says when an exact look is worth its cost: a new day, a new peak, or a new low of the day.

import type { Asset } from "../domain/asset.ts";
import type { Rates } from "../market/rate.ts";
import type { Accounts } from "./accounts/accounts.ts";

const DAY_MS = 86_400_000;
/** Lows closer together than this part of equity are one low. */
const LOW_STEP = 1e-4;

export class EquityWatch {
  readonly #accounts: Accounts;
  readonly #rates: Rates;
  readonly #everyMs: number;
  #dueAt = Number.NEGATIVE_INFINITY;
  #day = Number.NaN;
  #peak = Number.NEGATIVE_INFINITY;
  #low = Number.POSITIVE_INFINITY;
  #version = -1;
  #assets: readonly Asset[] = [];
  #held = new Float64Array(0);

  constructor(accounts: Accounts, rates: Rates, everyMs: number) {
    this.#accounts = accounts;
    this.#rates = rates;
    this.#everyMs = everyMs;
  }

  /** Cheap: true at most once per interval. */
  isDue(now: number): boolean {
    return now >= this.#dueAt;
  }

  isWorthALook(now: number): boolean {
    this.#dueAt = now + this.#everyMs;
    const equity = this.#equity(now);
    // Unknown: nothing can be said, and nothing can be ordered either.
    if (Number.isNaN(equity)) return false;
    const day = Math.floor(now / DAY_MS);
    const isNew = day !== this.#day;
    if (!isNew && equity <= this.#peak && equity >= this.#low - Math.abs(this.#low) * LOW_STEP) return false;
    this.#day = day;
    this.#peak = isNew ? equity : Math.max(this.#peak, equity);
    this.#low = isNew ? equity : Math.min(this.#low, equity);
    return true;
  }

  #equity(now: number): number {
    if (this.#version !== this.#accounts.version) this.#refresh();
    let sum = 0;
    for (let i = 0; i < this.#assets.length; i++) {
      const held = this.#held[i] as number;
      if (held === 0) continue;
      const rate = this.#rates.float(this.#assets[i] as Asset, now);
      if (rate === undefined) return Number.NaN;
      sum += held * rate;
    }
    return sum;
  }

  #refresh(): void {
    this.#version = this.#accounts.version;
    this.#assets = this.#accounts.assets;
    this.#held = Float64Array.from(this.#assets, (asset) => this.#accounts.held(asset)?.toNumber() ?? 0);
  }
}
