// Where the profit came from: edge that was quoted to the orders that filled, what the fill's price was better or worse than
// the quote, fees, and what the market did to what was held. The parts add up to the profit; a fill without a quote or a
// fair value at its decision shows up in the rest.
// Formula: net profit = quoted edge of fills + (captured - quoted) - fees + change of the holding benchmark + rest (change in worth of what trading moved)

import type { RunRecord } from "../record/run-record.ts";
import { type Figure, known, mapFigure } from "./basis/figure.ts";
import { fillEdges } from "./basis/fill-edges.ts";
import { fees } from "./fees.ts";
import { netProfit } from "./net-profit.ts";
import { profitOverHolding } from "./profit-over-holding.ts";

/** In the currency. */
export type ProfitBridge = {
  readonly quotedEdge: number;
  readonly slippage: number;
  readonly fees: number;
  readonly holding: number;
  readonly rest: number;
  readonly profit: number;
};

export function profitBridge(record: RunRecord): Figure<ProfitBridge> {
  const { captured, quoted } = fillEdges(record.fills);
  let [quotedEdge, slippage] = [0, 0];
  for (let row = 0; row < record.fills.length; row++) {
    const [had, seen] = [captured[row] as number, quoted[row] as number];
    if (Number.isNaN(had) || Number.isNaN(seen)) continue;
    quotedEdge += seen;
    slippage += had - seen;
  }
  return mapFigure(netProfit(record), (net) =>
    mapFigure(profitOverHolding(record), (over) =>
      mapFigure(fees(record), ({ total }) => {
        const [profit, paid] = [net.toNumber(), -total.toNumber()];
        const holding = profit - over.toNumber();
        const rest = profit - quotedEdge - slippage - paid - holding;
        return known({ quotedEdge, slippage, fees: paid, holding, rest, profit });
      }),
    ),
  );
}
