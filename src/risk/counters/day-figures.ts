// The figures of one UTC day, and the peak. A mark opens the day; until then yesterday's figures go on counting.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { DayFigures } from "../counters.ts";
import { utcDay } from "../day.ts";

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
    const { peak, figures } = this;
    return this.#opensDay(at) || figures.opening === undefined || peak === undefined || equity.moreThan(peak);
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
