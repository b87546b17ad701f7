// Totals for display: since the counters began, and of this UTC day. No rule reads them, so a resume does not reset
// them.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Door } from "../../domain/movement.ts";
import type { DaySums, Totals } from "../counters.ts";

/** `opened`: the totals at the opening of the day. */
export type SavedSums = { readonly totals: Totals; readonly opened: Totals; readonly opening: Money | undefined };

export class SumCounters {
  readonly totals: { -readonly [K in keyof Totals]: Totals[K] };
  #opened: Totals;
  #opening: Money | undefined;

  constructor(currency: Asset, saved: SavedSums | undefined) {
    const zero = Money.zero(currency);
    const none: Totals = {
      ...{ orders: 0, fills: 0, refused: 0, unvalued: 0, unvaluedFees: 0, placedAtPar: undefined },
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
