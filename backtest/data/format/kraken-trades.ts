// Kraken's downloadable history of trades, without a header. A trade is one price, not a bid and an ask: how far they are
// assumed from it is declared, and stands in the manifest.

import { basename } from "node:path";
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
  pairIn: (path) => /^(?![0-9]+\.)([A-Z0-9]{5,24})\./.exec(basename(path))?.[1],
  read: (input) =>
    readCsv(input, () => {
      const declared = { timeUnit: "s" as const, ...input.declared };
      const around = aroundPrice(declared);
      const fields = (["time", "bid", "bidSize"] as const).map((name) => fieldOf("quotes", name, declared));
      const last = { time: Number.NaN, price: Number.NaN, volume: Number.NaN };
      return {
        kind: "quotes",
        hasHeader: false,
        layout: {
          delimiter: ",",
          decimalComma: false,
          fields,
          zone: undefined,
          complete(columns, row) {
            const [times, bids, asks, volumes] = columns as [Float64Array, Float64Array, Float64Array, Float64Array];
            const [time, price, volume] = [times[row], bids[row], volumes[row]] as [number, number, number];
            // Times are whole seconds: another trade at the same price gives the same quote, and is no row twice.
            const isRepeated = time === last.time && price === last.price && volume !== last.volume;
            Object.assign(last, { time, price, volume });
            if (isRepeated) input.log.count("repeated", 1);
            const [bid, ask] = around(price);
            bids[row] = bid;
            asks[row] = ask;
            // What was traded is no size that stood there: sizes stay unknown.
            volumes[row] = Number.NaN;
            return !isRepeated;
          },
        },
      };
    }),
};
