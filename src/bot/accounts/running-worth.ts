// Equity and exposure, kept from one look to the next: a value is worked out again when its holding or its rate has changed,
// a sum when one of its values has. Exact, and the same as worked out afresh.

import type { Asset } from "../../domain/asset.ts";
import { Money, type Price } from "../../domain/money/money.ts";
import type { Accounts } from "./accounts.ts";
import { lossIfFilled } from "./worth.ts";

/** What one unit of an asset is worth now; `sequence` stands still while no rate can have changed. */
type RatesNow = { readonly currency: Asset; readonly sequence: number; exact(asset: Asset): Price | undefined };

type Slot = {
  readonly asset: Asset;
  rate: Price | undefined;
  held: Money | undefined;
  atMost: Money | undefined;
  /** Of what is held, rounded down. */
  value: Money | undefined;
  /** Of what would be held if every open order filled that brings it, rounded up. */
  exposure: Money | undefined;
};

export class RunningWorth {
  readonly #accounts: Accounts;
  readonly #rates: RatesNow;
  readonly #zero: Money;
  readonly #slotOf = new Map<Asset, Slot>();
  #slots: Slot[] = [];
  #listed: readonly Asset[] = [];
  #version = -1;
  #sequence = -1;
  #equity: Money | undefined = undefined;
  #gross: Money | undefined = undefined;

  constructor(accounts: Accounts, rates: RatesNow) {
    this.#accounts = accounts;
    this.#rates = rates;
    this.#zero = Money.zero(rates.currency);
  }

  /** Every open order counted as the worse of filled and not filled; undefined when something has no rate. */
  get equity(): Money | undefined {
    this.#look();
    return this.#equity;
  }

  get grossExposure(): Money | undefined {
    this.#look();
    return this.#gross;
  }

  exposure(asset: Asset): Money | undefined {
    this.#look();
    return this.#slotOf.get(asset)?.exposure;
  }

  #look(): void {
    const { version } = this.#accounts;
    const { sequence } = this.#rates;
    if (version === this.#version && sequence === this.#sequence) return;
    const isMoved = version !== this.#version;
    if (isMoved) this.#list();
    this.#version = version;
    this.#sequence = sequence;
    let isNew = isMoved;
    for (let i = 0; i < this.#slots.length; i++) if (this.#refresh(this.#slots[i] as Slot, isMoved)) isNew = true;
    if (!isNew) return;
    this.#equity = this.#equityOf();
    this.#gross = this.#grossOf();
  }

  #list(): void {
    const { assets, open } = this.#accounts;
    if (this.#listed !== assets) {
      this.#listed = assets;
      this.#slotOf.clear();
      this.#slots = [];
      for (const asset of assets) this.#add(asset);
    }
    for (const { leaves, comes } of open.values()) {
      if (!this.#slotOf.has(leaves.asset)) this.#add(leaves.asset);
      if (!this.#slotOf.has(comes.asset)) this.#add(comes.asset);
    }
  }

  #add(asset: Asset): void {
    const nothing = { rate: undefined, held: undefined, atMost: undefined, value: undefined, exposure: undefined };
    const slot: Slot = { asset, ...nothing };
    this.#slotOf.set(asset, slot);
    this.#slots.push(slot);
  }

  /** Whether something of it is new. Amounts never change, so the same object is the same amount. */
  #refresh(slot: Slot, isMoved: boolean): boolean {
    const { asset } = slot;
    const rate = this.#rates.exact(asset);
    const held = isMoved ? this.#accounts.held(asset) : slot.held;
    const atMost = isMoved ? this.#accounts.heldAtMost(asset) : slot.atMost;
    const isRepriced = rate !== slot.rate;
    const isNew = isRepriced || held !== slot.held || atMost !== slot.atMost;
    if (isRepriced || held !== slot.held) slot.value = this.#valued(held, rate, "down");
    if (isRepriced || atMost !== slot.atMost) slot.exposure = this.#valued(atMost, rate, "up");
    slot.rate = rate;
    slot.held = held;
    slot.atMost = atMost;
    return isNew;
  }

  /** What is not held needs no price. */
  #valued(amount: Money | undefined, rate: Price | undefined, rounding: "down" | "up"): Money | undefined {
    if (amount === undefined) return undefined;
    return amount.isZero() ? this.#zero : rate && amount.valued(rate, this.#rates.currency, rounding);
  }

  #equityOf(): Money | undefined {
    let total: Money | undefined;
    for (const { held, value } of this.#slots) {
      if (held === undefined) continue;
      if (value === undefined) return undefined;
      total = total === undefined ? value : total.plus(value);
    }
    // Before the opening entry equity is unknown, not nothing: a day opened at nothing could lose nothing.
    if (total === undefined) return undefined;
    for (const order of this.#accounts.open.values()) {
      const loss = lossIfFilled(order, this.#rates.currency, this.#rateOf);
      if (loss === undefined) return undefined;
      total = total.plus(loss);
    }
    return total;
  }

  #grossOf(): Money | undefined {
    let total = this.#zero;
    for (const { asset, exposure } of this.#slots) {
      if (asset === this.#rates.currency) continue;
      if (exposure === undefined) return undefined;
      total = total.plus(exposure.size());
    }
    return total;
  }

  readonly #rateOf = (asset: Asset): Price | undefined => this.#rates.exact(asset);
}
