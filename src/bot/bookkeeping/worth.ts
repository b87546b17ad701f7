// The value of the holdings at a period boundary, in the currency of the limits: the first equity marked from there on,
// less deposits and payments in between. A running bot marks equity when a UTC day opens, so both are one moment; for a
// stopped bot it is the holdings at the rates of its next run.

import type { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { Totals } from "../../risk/counters/day.ts";

/** The totals up to the boundary; `unpriced` counts trades without a rate, which are missing from them. */
export type Sums = Totals & { readonly unpriced: number };
export type Border = { readonly sums: Sums; readonly worth: Worth | undefined };
/** `at`: the time of the rates. The value is undefined if a deposit or payment in between had no rate. */
export type Worth = { readonly value: Money | undefined; readonly at: Millis };

/** Opening plus deposits plus profit equals closing; a figure is undefined while it is unknown. */
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
