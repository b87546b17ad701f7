// Totals for display: since the counters began, and of this UTC day. No rule reads them, so a resume does not reset
// them.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Door } from "../../domain/movement.ts";
import type { DaySums, Totals } from "../counters.ts";
import type { CountersData } from "./data.ts";

type Sums = { -readonly [K in keyof Totals]: Totals[K] };
type SavedSums = CountersData["sums"];
type SavedTotals = SavedSums["totals"];

export type SumCounters = {
  readonly totals: Totals;
  readonly day: DaySums;
  open(equity: Money): void;
  shift(value: Money | undefined, atPar: Money | undefined): void;
  /** Sets the base at which FX revaluation is zero. */
  base(ownAtPar: Money): void;
  countOrder(): void;
  countRefusal(): void;
  /** A fill without a rate is counted and missing from the sums. */
  fill(turnover: Money | undefined, fee: Money | undefined, realised: Money | undefined): void;
  /** A fee without a value is counted and makes the day's fees unknown until the next day. */
  movementFee(door: Door, value: Money | undefined): void;
  save(): Pick<CountersData, "sums">;
};

export function createSumCounters(currency: Asset, saved: SavedSums | undefined): SumCounters {
  return new Book(currency, saved);
}

class Book implements SumCounters {
  readonly totals: Sums;
  /** The totals at the opening of the day. */
  #opened: Totals;
  #opening: Money | undefined;

  constructor(currency: Asset, saved: SavedSums | undefined) {
    this.totals = loaded(currency, saved?.totals);
    this.#opened = loaded(currency, saved?.opened);
    this.#opening = saved == null || saved.opening === null ? undefined : Money.of(saved.opening, currency);
  }

  get day(): DaySums {
    const { totals } = this;
    const opened = this.#opened;
    const isKnown = totals.unvaluedFees === opened.unvaluedFees;
    return {
      opening: this.#opening,
      orders: totals.orders - opened.orders,
      fills: totals.fills - opened.fills,
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

  base(ownAtPar: Money): void {
    const { realised, mintFees, railFees } = this.totals;
    this.totals.placedAtPar = ownAtPar.minus(realised).plus(mintFees).plus(railFees);
  }

  countOrder(): void {
    this.totals.orders++;
  }

  countRefusal(): void {
    this.totals.refused++;
  }

  fill(turnover: Money | undefined, fee: Money | undefined, realised: Money | undefined): void {
    const { totals } = this;
    totals.fills++;
    if (turnover !== undefined) totals.turnover = totals.turnover.plus(turnover);
    if (fee !== undefined) totals.fees = totals.fees.plus(fee);
    if (realised !== undefined) totals.realised = totals.realised.plus(realised);
  }

  movementFee(door: Door, value: Money | undefined): void {
    const { totals } = this;
    if (value === undefined) totals.unvaluedFees++;
    else if (door === "mint") totals.mintFees = totals.mintFees.plus(value);
    else totals.railFees = totals.railFees.plus(value);
  }

  save(): Pick<CountersData, "sums"> {
    return {
      sums: {
        totals: saved(this.totals),
        opened: saved(this.#opened),
        opening: this.#opening?.toString() ?? null,
      },
    };
  }
}

function saved(totals: Totals): SavedTotals {
  const { orders, fills, refused, unvalued, turnover, fees, realised, brought, mintFees, railFees } = totals;
  const text = String;
  return {
    orders,
    fills,
    refused,
    unvalued,
    turnover: text(turnover),
    fees: text(fees),
    realised: text(realised),
    brought: text(brought),
    mintFees: text(mintFees),
    railFees: text(railFees),
    unvaluedFees: totals.unvaluedFees,
    placedAtPar: totals.placedAtPar?.toString() ?? null,
  };
}

function loaded(currency: Asset, data: SavedTotals | undefined): Sums {
  const money = (text: string | undefined): Money => Money.of(text ?? "0", currency);
  return {
    orders: data?.orders ?? 0,
    fills: data?.fills ?? 0,
    refused: data?.refused ?? 0,
    unvalued: data?.unvalued ?? 0,
    turnover: money(data?.turnover),
    fees: money(data?.fees),
    realised: money(data?.realised),
    brought: money(data?.brought),
    mintFees: money(data?.mintFees),
    railFees: money(data?.railFees),
    unvaluedFees: data?.unvaluedFees ?? 0,
    placedAtPar: data?.placedAtPar == null ? undefined : money(data.placedAtPar),
  };
}
