// A strategy: buys once a quote is this far below fair value, one order at a time.
//
//     npx pegbot backtest --strategy examples/dip-buyer.ts

import { defineStrategy, z } from "pegbot/strategy";

export default defineStrategy({
  name: "dip-buyer",
  params: z.object({
    symbol: z.string().default("VCHF/CHF"),
    size: z.number().positive().default(500),
    belowBps: z.number().positive().default(8),
  }),
  decide({ quote, fair, params, openOrders, buy }) {
    if (quote.symbol !== params.symbol || fair === undefined || openOrders.length > 0) return undefined;
    const limit = fair * (1 - params.belowBps / 1e4);
    if (quote.ask > limit) return undefined;
    return buy(quote.symbol, { limit, size: params.size, reason: `${params.belowBps} bp below fair value` });
  },
});
