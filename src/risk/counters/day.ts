// The figures of one UTC day, and the peak. A mark opens the day; until then yesterday's figures go on counting.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Door } from "../../domain/movement.ts";
import { DAY_MS, type Millis } from "../../domain/time.ts";

export type DayFigures = {
  /** Days since 1970; undefined before the first mark. */
  readonly number: number | undefined;
  readonly opening: Money | undefined;
  readonly orders: number;
  readonly turnover: Money;
  /** The part of it from coins sold below par. */
  readonly belowPar: Money;
  readonly fees: Money;
  /** Profit over average cost, in the currency of the limits. */
  readonly realised: Money;
  /** When a person resumed a halt on this day; the figures above count from there. */
  readonly since: Millis | undefined;
};

type Figures = { -readonly [K in keyof DayFigures]: DayFigures[K] };

export type SavedDay = { readonly figures: DayFigures; readonly peak: Money | undefined };

export class DayCounters {
  readonly figures: Figures;
  peak: Money | undefined;

  constructor(currency: Asset, saved: SavedDay | undefined) {
    const zero = Money.zero(currency);
    const none = { orders: 0, turnover: zero, belowPar: zero, fees: zero, realised: zero };
    this.figures = { number: undefined, opening: undefined, since: undefined, ...none, ...saved?.figures };
    this.peak = saved?.peak;
  }

  needsMark(equity: Money, at: Millis): boolean {
    return this.isMarkDue(at) || this.peak === undefined || equity.moreThan(this.peak);
  }

  /** Whatever equity is. */
  isMarkDue(at: Millis): boolean {
    return this.#opensDay(at) || this.figures.opening === undefined;
  }

  /** True if it opened a day. */
  mark(equity: Money, at: Millis): boolean {
    const { figures, peak } = this;
    const isOpening = this.#opensDay(at);
    if (isOpening) {
      figures.number = utcDay(at);
      figures.opening = equity;
      figures.since = undefined;
      this.#clear();
    }
    figures.opening ??= equity;
    this.peak = peak === undefined ? equity : peak.max(equity);
    return isOpening;
  }

  /**
   * Shifts both marks by the value of a deposit or withdrawal; without a value they are unknown until the next mark.
   */
  shift(value: Money | undefined): void {
    this.figures.opening = value && this.figures.opening?.plus(value);
    this.peak = value && this.peak?.plus(value);
  }

  countOrder(): void {
    this.figures.orders++;
  }

  addTurnover(value: Money, isBelowPar: boolean): void {
    this.figures.turnover = this.figures.turnover.plus(value);
    if (isBelowPar) this.figures.belowPar = this.figures.belowPar.plus(value);
  }

  addFee(value: Money): void {
    this.figures.fees = this.figures.fees.plus(value);
  }

  addRealised(value: Money): void {
    this.figures.realised = this.figures.realised.plus(value);
  }

  /** After a resume the figures and both marks restart; the day stays. */
  restart(at: Millis): void {
    this.#clear();
    this.figures.opening = undefined;
    this.figures.since = at;
    this.peak = undefined;
  }

  save(): SavedDay {
    return { figures: { ...this.figures }, peak: this.peak };
  }

  #opensDay(at: Millis): boolean {
    const { number } = this.figures;
    return number === undefined || utcDay(at) > number;
  }

  #clear(): void {
    const zero = Money.zero(this.figures.turnover.asset);
    Object.assign(this.figures, { orders: 0, turnover: zero, belowPar: zero, fees: zero, realised: zero });
  }
}

/** Days since 1970. */
export function utcDay(at: Millis): number {
  return Math.floor(at / DAY_MS);
}

/** In the currency of the limits. Fills without a known rate are counted and missing from the sums. */
export type DaySums = {
  /**
   * Equity at the opening of the day, shifted by deposits and withdrawals; undefined while one of them has no value.
   */
  readonly opening: Money | undefined;
  readonly orders: number;
  readonly fills: number;
  /** Fills that took back earlier trades of their pair. */
  readonly roundTrips: number;
  readonly refused: number;
  readonly turnover: Money;
  /** Trading fees, which are part of the realised profit or of the cost of holdings. */
  readonly fees: Money;
  readonly realised: Money;
  /** Fees of mints and rail payments, which are not in realised profit; undefined if one of the day had no rate. */
  readonly mintFees: Money | undefined;
  readonly railFees: Money | undefined;
};

export type Totals = Omit<DaySums, "opening" | "mintFees" | "railFees"> & {
  readonly mintFees: Money;
  readonly railFees: Money;
  /** How many fees had no rate and are missing from the sums. */
  readonly unvaluedFees: number;
  /** Deposits less withdrawals. */
  readonly brought: Money;
  /** How many deposits or withdrawals had no value. */
  readonly unvalued: number;
  /** All deposits at par, opening included: the base of FX revaluation; undefined before the first mark. */
  readonly placedAtPar: Money | undefined;
};

/** `opened`: the totals at the opening of the day. */
export type SavedSums = { readonly totals: Totals; readonly opened: Totals; readonly opening: Money | undefined };

export class SumCounters {
  readonly totals: { -readonly [K in keyof Totals]: Totals[K] };
  #opened: Totals;
  #opening: Money | undefined;

  constructor(currency: Asset, saved: SavedSums | undefined) {
    const zero = Money.zero(currency);
    const none: Totals = {
      ...{ orders: 0, fills: 0, roundTrips: 0, refused: 0, unvalued: 0, unvaluedFees: 0, placedAtPar: undefined },
      ...{ turnover: zero, fees: zero, realised: zero, brought: zero, mintFees: zero, railFees: zero },
    };
    this.totals = { ...none, ...saved?.totals };
    this.#opened = saved?.opened ?? none;
    this.#opening = saved?.opening;
  }

  get day(): DaySums {
    const { totals } = this;
    const opened = this.#opened;
    const isKnown = totals.unvaluedFees === opened.unvaluedFees;
    return {
      opening: this.#opening,
      orders: totals.orders - opened.orders,
      fills: totals.fills - opened.fills,
      roundTrips: totals.roundTrips - opened.roundTrips,
      refused: totals.refused - opened.refused,
      turnover: totals.turnover.minus(opened.turnover),
      fees: totals.fees.minus(opened.fees),
      realised: totals.realised.minus(opened.realised),
      mintFees: isKnown ? totals.mintFees.minus(opened.mintFees) : undefined,
      railFees: isKnown ? totals.railFees.minus(opened.railFees) : undefined,
    };
  }

  open(equity: Money): void {
    this.#opened = { ...this.totals };
    this.#opening = equity;
  }

  shift(value: Money | undefined, atPar: Money | undefined): void {
    const { totals } = this;
    totals.placedAtPar = atPar && totals.placedAtPar?.plus(atPar);
    if (value === undefined) totals.unvalued++;
    else totals.brought = totals.brought.plus(value);
    // A deposit or withdrawal without a value makes the day's change unknown until the next day.
    this.#opening = value && this.#opening?.plus(value);
  }

  /** Sets the base at which FX revaluation is zero. */
  base(ownAtPar: Money): void {
    const { realised, mintFees, railFees } = this.totals;
    this.totals.placedAtPar = ownAtPar.minus(realised).plus(mintFees).plus(railFees);
  }

  /** A fill without a rate is counted and missing from the sums. */
  fill(turnover: Money | undefined, fee: Money | undefined, realised: Money | undefined): void {
    const { totals } = this;
    totals.fills++;
    if (turnover !== undefined) totals.turnover = totals.turnover.plus(turnover);
    if (fee !== undefined) totals.fees = totals.fees.plus(fee);
    if (realised !== undefined) totals.realised = totals.realised.plus(realised);
  }

  /** A fee without a value is counted and makes the day's fees unknown until the next day. */
  movementFee(door: Door, value: Money | undefined): void {
    const { totals } = this;
    if (value === undefined) totals.unvaluedFees++;
    else if (door === "mint") totals.mintFees = totals.mintFees.plus(value);
    else totals.railFees = totals.railFees.plus(value);
  }

  save(): SavedSums {
    return { totals: { ...this.totals }, opened: this.#opened, opening: this.#opening };
  }
}
