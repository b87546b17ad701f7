// What was held at a border of time, in the currency of the limits: the first equity that the journal marks from there on, less
// what people and payments brought in between. A bot that runs marks it when a UTC day opens, so that both are one moment; of
// one that stood still it is what was there, at the rates of when it ran again.

import type { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { Totals } from "../../risk/counters.ts";

/** What had been done until then; `unpriced`: so many trades had no rate, and are missing. */
export type Sums = Totals & { readonly unpriced: number };
export type Border = { readonly sums: Sums; readonly worth: Worth | undefined };
/** `at`: when the rates were those. No value where something was brought that has no rate. */
export type Worth = { readonly value: Money | undefined; readonly at: Millis };

/** Opening and what was brought and the profit are the closing; undefined what is not known, or not yet. */
export type Change = {
  readonly opening: Worth | undefined;
  readonly brought: Money | undefined;
  readonly profit: Money | undefined;
  readonly closing: Worth | undefined;
};

type Open = { -readonly [K in keyof Border]: Border[K] };

export class Borders {
  #unmarked: Open[] = [];

  cut(sums: Sums): Border {
    const border = { sums, worth: undefined };
    this.#unmarked.push(border);
    return border;
  }

  mark(equity: Money, at: Millis, sums: Totals): void {
    for (const border of this.#unmarked) {
      const since = broughtSince(border, sums);
      border.worth = { value: since && equity.minus(since), at };
    }
    this.#unmarked = [];
  }
}

export function changeBetween(from: Border, to: Border): Change {
  const [opening, closing] = [from.worth, to.worth];
  const brought = broughtSince(from, to.sums);
  const [began, ended] = [opening?.value, closing?.value];
  const isKnown = began !== undefined && ended !== undefined && brought !== undefined;
  return { opening, brought, profit: isKnown ? ended.minus(began).minus(brought) : undefined, closing };
}

function broughtSince({ sums: before }: Border, sums: Totals): Money | undefined {
  return sums.unvalued === before.unvalued ? sums.brought.minus(before.brought) : undefined;
}
