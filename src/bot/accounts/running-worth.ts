// Equity and exposure, kept from one look to the next: a value is worked out again when its holding or its rate has changed,
// a sum when one of its values has. Exact, and the same as worked out afresh. Given a range for each rate, it is the least
// equity and the most exposure that any rates of those ranges could give, for a value grows and falls with its rate.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { RateRange } from "../../market/rate.ts";
import type { Accounts } from "./accounts.ts";
import type { Figure } from "./figures.ts";
import type { Tied } from "./movements.ts";
import { lossIfFilled } from "./worth.ts";

/** What one unit of an asset is worth now; `sequence` stands still while no rate can have changed. */
type RatesNow = { readonly currency: Asset; readonly sequence: number };
/** The same object while it is the same range. */
type RangeOf = (asset: Asset) => RateRange | undefined;

type Slot = {
  readonly asset: Asset;
  readonly figure: Figure;
  /** The version of the figure that all of this is of. */
  version: number;
  range: RateRange | undefined;
  held: Money | undefined;
  atMost: Money | undefined;
  /** Of what is held, rounded down. */
  value: Money | undefined;
  /** Of what would be held if every open order filled that brings it, rounded up. */
  exposure: Money | undefined;
  /** How large that is, whatever its sign. */
  size: Money | undefined;
  /** Both are worked out when they are asked for: most that changes is never asked for them. */
  isExposureKnown: boolean;
  /** Nothing of it is held, comes or leaves, as of most that a venue lists: it needs no price. */
  isIdle: boolean;
};

export class RunningWorth {
  readonly #accounts: Accounts;
  readonly #rates: RatesNow;
  readonly #rangeOf: RangeOf;
  readonly #zero: Money;
  readonly #slotOf = new Map<Asset, Slot>();
  #slots: Slot[] = [];
  /** Those that are not idle: nothing but these follows a rate. */
  #active: Slot[] = [];
  #listed: readonly Asset[] = [];
  #version = -1;
  #sequence = -1;
  #equity: Money | undefined = undefined;
  #gross: Money | undefined = undefined;
  #isGrossKnown = false;

  constructor(accounts: Accounts, rates: RatesNow, rangeOf: RangeOf) {
    this.#accounts = accounts;
    this.#rates = rates;
    this.#rangeOf = rangeOf;
    this.#zero = Money.zero(rates.currency);
  }

  /** Every open order counted as the worse of filled and not filled; undefined when something has no rate. */
  get equity(): Money | undefined {
    if (!this.#isSteady()) this.#look();
    return this.#equity;
  }

  get grossExposure(): Money | undefined {
    if (!this.#isSteady()) this.#look();
    if (!this.#isGrossKnown) this.#gross = this.#grossOf();
    this.#isGrossKnown = true;
    return this.#gross;
  }

  exposure(asset: Asset): Money | undefined {
    if (!this.#isSteady()) this.#look();
    const slot = this.#slotOf.get(asset);
    return slot && this.#exposed(slot).exposure;
  }

  /** Everything that was worked out last is still true. */
  #isSteady(): boolean {
    if (this.#version !== this.#accounts.version) return false;
    const { sequence } = this.#rates;
    if (this.#sequence === sequence) return true;
    for (let i = 0; i < this.#active.length; i++) {
      const { asset, range } = this.#active[i] as Slot;
      if (this.#rangeOf(asset) !== range) return false;
    }
    this.#sequence = sequence;
    return true;
  }

  #look(): void {
    const { version } = this.#accounts;
    if (version !== this.#version) this.#list();
    this.#version = version;
    this.#sequence = this.#rates.sequence;
    for (let i = 0; i < this.#slots.length; i++) {
      const slot = this.#slots[i] as Slot;
      const isTouched = slot.figure.version !== slot.version;
      if (isTouched || !slot.isIdle) this.#refresh(slot, isTouched);
    }
    this.#equity = this.#equityOf();
    this.#isGrossKnown = false;
  }

  #list(): void {
    const { assets, open, movements } = this.#accounts;
    // What is known from orders alone is forgotten with them: it would stay unknown, and every sum with it.
    if (this.#listed !== assets || this.#slots.length > assets.length) {
      this.#listed = assets;
      this.#slotOf.clear();
      this.#slots = [];
      this.#active = [];
      for (const asset of assets) this.#add(asset);
    }
    const { list } = open;
    for (let i = 0; i < list.length; i++) this.#addBoth(list[i] as Tied);
    if (movements.isTied) for (const one of movements.tied()) this.#addBoth(one);
  }

  #addBoth({ leaves, comes }: Tied): void {
    if (!this.#slotOf.has(leaves.asset)) this.#add(leaves.asset);
    if (!this.#slotOf.has(comes.asset)) this.#add(comes.asset);
  }

  #add(asset: Asset): void {
    const figure = this.#accounts.figureOf(asset);
    const nothing = { range: undefined, held: undefined, atMost: undefined };
    const worth = { value: undefined, exposure: undefined, size: undefined, isExposureKnown: false };
    const slot: Slot = { asset, figure, version: -1, ...nothing, ...worth, isIdle: true };
    this.#slotOf.set(asset, slot);
    this.#slots.push(slot);
  }

  /** Amounts never change, so the same object is the same amount. */
  #refresh(slot: Slot, isTouched: boolean): void {
    const { held, heldFloat, atMost, isIdle, version } = isTouched ? this.#accounts.fresh(slot.figure) : slot.figure;
    if (isTouched) this.#activate(slot, !isIdle || heldFloat !== 0);
    const range = slot.isIdle ? undefined : this.#rangeOf(slot.asset);
    const isRepriced = range !== slot.range;
    if (isRepriced || held !== slot.held) slot.value = this.#least(held, range);
    if (isRepriced || atMost !== slot.atMost) slot.isExposureKnown = false;
    slot.version = version;
    slot.range = range;
    slot.held = held;
    slot.atMost = atMost;
  }

  #activate(slot: Slot, isActive: boolean): void {
    if (isActive !== slot.isIdle) return;
    slot.isIdle = !isActive;
    if (isActive) this.#active.push(slot);
    else this.#active.splice(this.#active.indexOf(slot), 1);
  }

  #exposed(slot: Slot): Slot {
    if (slot.isExposureKnown) return slot;
    const { atMost, range } = slot;
    slot.exposure = this.#most(atMost, range);
    // A debt is largest where its value is least.
    const isDebtInRange = atMost?.isNegative() && range?.low !== range?.high;
    slot.size = (isDebtInRange ? this.#least(atMost, range) : slot.exposure)?.size();
    slot.isExposureKnown = true;
    return slot;
  }

  /** What is not held needs no price. */
  #least(amount: Money | undefined, range: RateRange | undefined): Money | undefined {
    if (amount === undefined) return undefined;
    if (amount.isZero()) return this.#zero;
    return range && amount.valued(amount.isNegative() ? range.high : range.low, this.#rates.currency, "down");
  }

  #most(amount: Money | undefined, range: RateRange | undefined): Money | undefined {
    if (amount === undefined) return undefined;
    if (amount.isZero()) return this.#zero;
    return range && amount.valued(amount.isNegative() ? range.low : range.high, this.#rates.currency, "up");
  }

  #equityOf(): Money | undefined {
    const { ledger, open, movements } = this.#accounts;
    // Before the opening entry equity is unknown, not nothing: a day opened at nothing could lose nothing.
    if (ledger.size === 0) return undefined;
    let sum: Money | undefined = this.#zero;
    for (let i = 0; i < this.#active.length; i++) {
      const { held, value } = this.#active[i] as Slot;
      if (held === undefined) continue;
      if (value === undefined) return undefined;
      sum = sum.plus(value);
    }
    if (open.size > 0) sum = this.#lessLosses(open.list, sum);
    return movements.isTied ? this.#lessLosses(movements.tied(), sum) : sum;
  }

  /** Of what may still happen; undefined when one of them cannot be told. */
  #lessLosses(pending: Iterable<Tied>, before: Money | undefined): Money | undefined {
    let sum = before;
    for (const one of pending) {
      const loss = lossIfFilled(one, this.#rates.currency, this.#rangeOf);
      sum = loss && sum?.plus(loss);
    }
    return sum;
  }

  #grossOf(): Money | undefined {
    const parts: Money[] = [];
    for (const slot of this.#slots) {
      if (slot.asset === this.#rates.currency) continue;
      const { size } = this.#exposed(slot);
      if (size === undefined) return undefined;
      parts.push(size);
    }
    return Money.sum(parts, this.#rates.currency);
  }
}
