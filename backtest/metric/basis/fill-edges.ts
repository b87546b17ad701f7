// Fills as floats, for statistics: price, worth, and how much better than fair value it was at the decision.

import type { Fills } from "../../record/run-record.ts";

export type FillEdges = {
  readonly length: number;
  /** 1 buys, -1 sells: what a rise of the price does to it. */
  readonly sign: Float64Array;
  readonly price: Float64Array;
  /** In the currency; NaN without a rate. */
  readonly worth: Float64Array;
  /** In the currency, against fair value at the decision: of the price taken, and of the price that was quoted. */
  readonly captured: Float64Array;
  readonly quoted: Float64Array;
};

const known = new WeakMap<Fills, FillEdges>();

export function fillEdges(fills: Fills): FillEdges {
  const found = known.get(fills) ?? edgesOf(fills);
  known.set(fills, found);
  return found;
}

/** In one pass: whoever asks for a column by a function of its own for each pays for every row. */
function edgesOf({ length, side, bought, sold, rate, fair, touch }: Fills): FillEdges {
  const column = (): Float64Array => new Float64Array(length);
  const edges = { length, sign: column(), price: column(), worth: column(), captured: column(), quoted: column() };
  for (let row = 0; row < length; row++) {
    const isBuy = side[row] === 0;
    const sign = isBuy ? 1 : -1;
    const quantity = Number(isBuy ? bought[row] : sold[row]);
    const quote = Number(isBuy ? sold[row] : bought[row]);
    const worthOfOne = Number(rate[row] ?? NaN);
    const price = quote / quantity;
    edges.sign[row] = sign;
    edges.price[row] = price;
    edges.worth[row] = quote * worthOfOne;
    edges.captured[row] = sign * ((fair[row] as number) - price) * quantity * worthOfOne;
    edges.quoted[row] = sign * ((fair[row] as number) - (touch[row] as number)) * quantity * worthOfOne;
  }
  return edges;
}

/** Of what is known; NaN counts for nothing. */
export function sumOfKnown(values: Float64Array): { readonly sum: number; readonly count: number } {
  let sum = 0;
  let count = 0;
  for (const value of values)
    if (!Number.isNaN(value)) {
      sum += value;
      count++;
    }
  return { sum, count };
}
