// The figures of one UTC day, and the peak. A mark opens the day; until then yesterday's figures go on counting.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { DayFigures } from "../counters.ts";
import { utcDay } from "../day.ts";
import type { CountersData } from "./data.ts";

type Figures = { -readonly [K in keyof DayFigures]: DayFigures[K] };

export type DayCounters = {
  readonly figures: DayFigures;
  readonly peak: Money | undefined;
  needsMark(equity: Money, at: Millis): boolean;
  /** True if it opened a day. */
  mark(equity: Money, at: Millis): boolean;
  /**
   * Shifts both marks by the value of a deposit or withdrawal; without a value they are unknown until the next mark.
   */
  shift(value: Money | undefined): void;
  countOrder(): void;
  addTurnover(value: Money, isBelowPar: boolean): void;
  addFee(value: Money): void;
  addRealised(value: Money): void;
  /** After a resume the figures and both marks restart; the day stays. */
  restart(at: Millis): void;
  save(): Pick<CountersData, "day" | "peak">;
};

export function createDayCounters(currency: Asset, saved: Pick<CountersData, "day" | "peak"> | undefined): DayCounters {
  return new UtcDayBook(currency, saved);
}

class UtcDayBook implements DayCounters {
  readonly #zero: Money;
  readonly figures: Figures;
  peak: Money | undefined;

  constructor(currency: Asset, saved: Pick<CountersData, "day" | "peak"> | undefined) {
    const money = (text: string | null): Money | undefined => (text === null ? undefined : Money.of(text, currency));
    this.#zero = Money.zero(currency);
    this.figures = {
      number: saved?.day.number ?? undefined,
      opening: money(saved?.day.opening ?? null),
      orders: saved?.day.orders ?? 0,
      turnover: money(saved?.day.turnover ?? null) ?? this.#zero,
      belowPar: money(saved?.day.belowPar ?? null) ?? this.#zero,
      fees: money(saved?.day.fees ?? null) ?? this.#zero,
      realised: money(saved?.day.realised ?? null) ?? this.#zero,
      since: saved?.day.since === undefined ? undefined : millis(saved.day.since),
    };
    this.peak = money(saved?.peak ?? null);
  }

  needsMark(equity: Money, at: Millis): boolean {
    const { peak, figures } = this;
    return this.#opensDay(at) || figures.opening === undefined || peak === undefined || equity.moreThan(peak);
  }

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

  restart(at: Millis): void {
    this.#clear();
    this.figures.opening = undefined;
    this.figures.since = at;
    this.peak = undefined;
  }

  save(): Pick<CountersData, "day" | "peak"> {
    const { number, opening, orders, turnover, belowPar, fees, realised, since } = this.figures;
    return {
      day: {
        number: number ?? null,
        opening: opening?.toString() ?? null,
        orders,
        turnover: turnover.toString(),
        belowPar: belowPar.toString(),
        fees: fees.toString(),
        realised: realised.toString(),
        ...(since === undefined ? {} : { since }),
      },
      peak: this.peak?.toString() ?? null,
    };
  }

  #opensDay(at: Millis): boolean {
    const { number } = this.figures;
    return number === undefined || utcDay(at) > number;
  }

  #clear(): void {
    const { figures } = this;
    figures.orders = 0;
    figures.turnover = this.#zero;
    figures.belowPar = this.#zero;
    figures.fees = this.#zero;
    figures.realised = this.#zero;
  }
}
