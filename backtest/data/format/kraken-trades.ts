// Kraken's downloadable history of trades, without a header. A trade is one price, not a bid and an ask: how far they are
// assumed from it is declared, and stands in the manifest.

import { fieldOf } from "./csv.ts";
import { aroundPrice, type Format } from "./format.ts";
import { readCsv } from "./read-csv.ts";

export const krakenTrades: Format = {
  name: "kraken-trades",
  title: "Kraken's dump of trades: seconds, price, volume",
  unit: "line",
  zone: "own",
  halfSpread: "needed",
  takes: ["timeUnit", "entry"],
  read: (input) =>
    readCsv(input, () => {
      const declared = { timeUnit: "s" as const, ...input.declared };
      const around = aroundPrice(declared);
      // What was traded is no size that stood there: sizes stay unknown.
      const fields = [
        fieldOf("quotes", "time", declared),
        fieldOf("quotes", "bid", declared),
        fieldOf("quotes", undefined, declared),
      ];
      return {
        kind: "quotes",
        hasHeader: false,
        layout: {
          delimiter: ",",
          decimalComma: false,
          fields,
          zone: undefined,
          complete([, bids, asks], row) {
            const [bid, ask] = around(bids?.[row] as number);
            (bids as Float64Array)[row] = bid;
            (asks as Float64Array)[row] = ask;
          },
        },
      };
    }),
};
