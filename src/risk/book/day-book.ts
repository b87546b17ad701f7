// The figures of one UTC day, and the peak. A mark opens the day; until one comes, yesterday's figures go on counting.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { DayFigures } from "../books.ts";
import { utcDay } from "../day.ts";
import type { BooksData } from "./data.ts";

type Figures = { -readonly [K in keyof DayFigures]: DayFigures[K] };

export type DayBook = {
  readonly figures: DayFigures;
  readonly peak: Money | undefined;
  needsMark(equity: Money, at: Millis): boolean;
  mark(equity: Money, at: Millis): void;
  /** Both marks, by the value of what came or went without a trade; without a value they are unknown until the next mark. */
  shift(value: Money | undefined): void;
  countOrder(): void;
  addTurnover(value: Money): void;
  addFee(value: Money): void;
  addRealised(value: Money): void;
  /** A person resumed: the figures and both marks start anew, the day stays. */
  restart(): void;
  save(): Pick<BooksData, "day" | "peak">;
};

export function createDayBook(currency: Asset, saved: Pick<BooksData, "day" | "peak"> | undefined): DayBook {
  const zero = Money.zero(currency);
  const money = (text: string | null): Money | undefined => (text === null ? undefined : Money.of(text, currency));
  const figures: Figures = {
    number: saved?.day.number ?? undefined,
    opening: money(saved?.day.opening ?? null),
    orders: saved?.day.orders ?? 0,
    turnover: money(saved?.day.turnover ?? null) ?? zero,
    fees: money(saved?.day.fees ?? null) ?? zero,
    realised: money(saved?.day.realised ?? null) ?? zero,
  };
  let peak = money(saved?.peak ?? null);

  const opensDay = (at: Millis): boolean => figures.number === undefined || utcDay(at) > figures.number;
  const clear = (): void => {
    figures.orders = 0;
    figures.turnover = zero;
    figures.fees = zero;
    figures.realised = zero;
  };

  return {
    figures,
    get peak() {
      return peak;
    },
    needsMark: (equity, at) =>
      opensDay(at) || figures.opening === undefined || peak === undefined || equity.moreThan(peak),
    mark(equity, at) {
      if (opensDay(at)) {
        figures.number = utcDay(at);
        figures.opening = equity;
        clear();
      }
      figures.opening ??= equity;
      peak = peak === undefined ? equity : peak.max(equity);
    },
    shift(value) {
      figures.opening = value && figures.opening?.plus(value);
      peak = value && peak?.plus(value);
    },
    countOrder: () => {
      figures.orders++;
    },
    addTurnover: (value) => {
      figures.turnover = figures.turnover.plus(value);
    },
    addFee: (value) => {
      figures.fees = figures.fees.plus(value);
    },
    addRealised: (value) => {
      figures.realised = figures.realised.plus(value);
    },
    restart() {
      clear();
      figures.opening = undefined;
      peak = undefined;
    },
    save: () => ({
      day: {
        number: figures.number ?? null,
        opening: figures.opening?.toString() ?? null,
        orders: figures.orders,
        turnover: figures.turnover.toString(),
        fees: figures.fees.toString(),
        realised: figures.realised.toString(),
      },
      peak: peak?.toString() ?? null,
    }),
  };
}
