// Equity and exposure, kept from one look to the next: a value is worked out again when its holding or its mark has changed,
// a sum when one of its values has. Exact, and the same as worked out afresh. What is owned counts for the least that it is
// marked at, what is exposed or owed for the most.

import type { Asset } from "../../domain/asset.ts";
import { Money, type Price } from "../../domain/money/money.ts";
import type { Reserved } from "../../domain/reservation.ts";
import { type Rate, type RateRange, type Rates, rangeOf } from "../../market/rate.ts";
import type { Accounts } from "./accounts.ts";
import type { Figure } from "./figures.ts";
import { lossIfFilled } from "./worth.ts";

/** What one unit of an asset is worth now. */
type RatesNow = Pick<Rates, "currency" | "version" | "of" | "rateOf" | "fresh">;

type Slot = {
  readonly asset: Asset;
  readonly figure: Figure;
  readonly rate: Rate;
  /** The version of the figure that all of this is of, of what is held and of the most that may be. */
  version: number;
  heldVersion: number;
  atMostVersion: number;
  range: RateRange | undefined;
  /** The value of what is held, rounded down. */
  value: Money | undefined;
  isValueKnown: boolean;
  /** Of what would be held if every open order filled that brings it, rounded up. */
  exposure: Money | undefined;
  /** How large that is, whatever its sign. */
  size: Money | undefined;
  /** Like the value, both are worked out when they are asked for: most that changes is never asked for them. */
  isExposureKnown: boolean;
  /** Nothing of it is held, comes or leaves, as of most that a venue lists: it needs no price. */
  isIdle: boolean;
};

export class RunningWorth {
  readonly #accounts: Accounts;
  readonly #rates: RatesNow;
  readonly #lowOf: (asset: Asset) => Price | undefined;
  readonly #zero: Money;
  readonly #slotOf = new Map<Asset, Slot>();
  #slots: Slot[] = [];
  /** Those that are not idle: nothing but these follows a rate. */
  #active: Slot[] = [];
  #listed: readonly Asset[] = [];
  /** The accounts that slots are listed of. */
  #version = -1;
  /** The accounts and rates that all slots were last looked at with. */
  #lookedAt = -1;
  #ratesVersion = -1;
  /** Both are unknown to be right until they are asked for. */
  #equity: Money | undefined = undefined;
  #isEquityKnown = false;
  #gross: Money | undefined = undefined;
  #isGrossKnown = false;

  constructor(accounts: Accounts, rates: RatesNow) {
    this.#accounts = accounts;
    this.#rates = rates;
    this.#lowOf = (asset) => rangeOf(rates.of(asset))?.low;
    this.#zero = Money.zero(rates.currency);
  }

  /** Every open order counted as the worse of filled and not filled; undefined when something has no rate. */
  get equity(): Money | undefined {
    this.#look();
    if (!this.#isEquityKnown) this.#equity = this.#equityOf();
    this.#isEquityKnown = true;
    return this.#equity;
  }

  get grossExposure(): Money | undefined {
    this.#look();
    if (!this.#isGrossKnown) this.#gross = this.#grossOf();
    this.#isGrossKnown = true;
    return this.#gross;
  }

  /** Of one asset: the others are not looked at. */
  exposure(asset: Asset): Money | undefined {
    if (this.#version !== this.#accounts.version) this.#list();
    const slot = this.#slotOf.get(asset);
    if (slot === undefined) return undefined;
    this.#refresh(slot);
    return this.#exposed(slot).exposure;
  }

  #look(): void {
    const { version } = this.#accounts;
    if (version !== this.#version) this.#list();
    const { version: ratesVersion } = this.#rates;
    if (version === this.#lookedAt && ratesVersion === this.#ratesVersion) return;
    // Whatever of them was touched, the list has them all; without a touch nothing but a rate can have moved.
    const slots = version === this.#lookedAt ? this.#active : this.#slots;
    for (let i = 0; i < slots.length; i++) this.#refresh(slots[i] as Slot);
    this.#lookedAt = version;
    this.#ratesVersion = ratesVersion;
  }

  #list(): void {
    const { version, assets, open, movements } = this.#accounts;
    this.#version = version;
    // What is open counts in equity, and may be of an asset that nobody has heard of.
    this.#isEquityKnown = false;
    this.#isGrossKnown = false;
    // What is known from orders alone is forgotten with them: it would stay unknown, and every sum with it.
    if (this.#listed !== assets || this.#slots.length > assets.length) {
      this.#listed = assets;
      this.#slotOf.clear();
      this.#slots = [];
      this.#active = [];
      for (const asset of assets) this.#add(asset);
    }
    for (const order of open.values()) this.#addBoth(order);
    if (movements.isTied) for (const one of movements.tied()) this.#addBoth(one);
  }

  #addBoth({ leaves, comes }: Reserved): void {
    if (!this.#slotOf.has(leaves.asset)) this.#add(leaves.asset);
    if (!this.#slotOf.has(comes.asset)) this.#add(comes.asset);
  }

  #add(asset: Asset): void {
    const figure = this.#accounts.figureOf(asset);
    const slot: Slot = {
      asset,
      figure,
      rate: this.#rates.rateOf(asset),
      version: -1,
      heldVersion: -1,
      atMostVersion: -1,
      range: undefined,
      value: undefined,
      isValueKnown: false,
      exposure: undefined,
      size: undefined,
      isExposureKnown: false,
      isIdle: true,
    };
    this.#slotOf.set(asset, slot);
    this.#slots.push(slot);
  }

  #refresh(slot: Slot): void {
    const { figure } = slot;
    const isTouched = figure.version !== slot.version;
    if (slot.isIdle && !isTouched) return;
    if (isTouched) this.#touched(slot, this.#accounts.fresh(figure));
    const range = slot.isIdle ? undefined : rangeOf(this.#rates.fresh(slot.rate));
    if (range === slot.range) return;
    slot.range = range;
    this.#forgetValue(slot);
    this.#forgetExposure(slot);
  }

  #touched(slot: Slot, { version, heldVersion, atMostVersion, heldFloat, isIdle }: Figure): void {
    this.#activate(slot, !isIdle || heldFloat !== 0);
    slot.version = version;
    if (heldVersion !== slot.heldVersion) this.#forgetValue(slot);
    if (atMostVersion !== slot.atMostVersion) this.#forgetExposure(slot);
    slot.heldVersion = heldVersion;
    slot.atMostVersion = atMostVersion;
  }

  #forgetValue(slot: Slot): void {
    slot.isValueKnown = false;
    this.#isEquityKnown = false;
  }

  #forgetExposure(slot: Slot): void {
    slot.isExposureKnown = false;
    this.#isGrossKnown = false;
  }

  #activate(slot: Slot, isActive: boolean): void {
    if (isActive !== slot.isIdle) return;
    slot.isIdle = !isActive;
    if (isActive) this.#active.push(slot);
    else this.#active.splice(this.#active.indexOf(slot), 1);
  }

  #exposed(slot: Slot): Slot {
    if (slot.isExposureKnown) return slot;
    const { range } = slot;
    const { atMost } = slot.figure;
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
      const slot = this.#active[i] as Slot;
      const { held } = slot.figure;
      if (held === undefined) continue;
      if (!slot.isValueKnown) slot.value = this.#least(held, slot.range);
      slot.isValueKnown = true;
      if (slot.value === undefined) return undefined;
      sum = sum.plus(slot.value);
    }
    if (open.size > 0) sum = this.#lessLosses(open.values(), sum);
    return movements.isTied ? this.#lessLosses(movements.tied(), sum) : sum;
  }

  /** Of what may still happen; undefined when one of them cannot be told. */
  #lessLosses(pending: Iterable<Reserved>, before: Money | undefined): Money | undefined {
    let sum = before;
    for (const one of pending) {
      const loss = lossIfFilled(one, this.#rates.currency, this.#lowOf);
      sum = loss && sum?.plus(loss);
    }
    return sum;
  }

  #grossOf(): Money | undefined {
    let sum = this.#zero;
    for (let i = 0; i < this.#slots.length; i++) {
      const slot = this.#slots[i] as Slot;
      if (slot.asset === this.#rates.currency) continue;
      const { size } = this.#exposed(slot);
      if (size === undefined) return undefined;
      sum = sum.plus(size);
    }
    return sum;
  }
}
