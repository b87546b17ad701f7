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

function edgesOf(fills: Fills): FillEdges {
  const column = (of: (row: number) => number): Float64Array => {
    const values = new Float64Array(fills.length);
    for (let row = 0; row < values.length; row++) values[row] = of(row);
    return values;
  };
  const isBuy = (row: number): boolean => fills.side[row] === 0;
  const quantity = column((row) => Number(isBuy(row) ? fills.bought[row] : fills.sold[row]));
  const quote = column((row) => Number(isBuy(row) ? fills.sold[row] : fills.bought[row]));
  const rate = column((row) => Number(fills.rate[row] ?? NaN));
  const sign = column((row) => (isBuy(row) ? 1 : -1));
  const price = column((row) => (quote[row] as number) / (quantity[row] as number));
  const against = (column: Float64Array, row: number): number =>
    (sign[row] as number) *
    ((fills.fair[row] as number) - (column[row] as number)) *
    (quantity[row] as number) *
    (rate[row] as number);
  return {
    length: fills.length,
    sign,
    price,
    worth: column((row) => (quote[row] as number) * (rate[row] as number)),
    captured: column((row) => against(price, row)),
    quoted: column((row) => against(fills.touch, row)),
  };
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
