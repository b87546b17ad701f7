// /client/tradingPairs: the tradable symbols with their grids. The venue was never seen to state price decimals; a
// default is used.

import { assetsOf } from "../../domain/asset.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { integer, listOfReadable, mapped, only, optional, quantity, record, symbol, word } from "../wire/decoder.ts";
import type { ReadEndpoint } from "./endpoint.ts";

const decimals = integer(18);

const row = record({
  symbol: [symbol, "pair", "symbol"],
  status: word,
  quantityMin: [quantity, "min_order_size", "min_order_qty"],
  quantityDecimals: [decimals, "qty_decimals", "quantity_decimals"],
  priceDecimals: [optional(decimals), "price_decimals"],
});

export function tradingPairs(priceDecimalsDefault: number): ReadEndpoint<readonly Instrument[]> {
  const instrument = mapped(row, ({ priceDecimals = priceDecimalsDefault, ...pair }) => {
    return { ...pair, ...assetsOf(pair.symbol), priceDecimals };
  });
  return {
    path: "/client/tradingPairs",
    fields: {},
    answer: only(listOfReadable(instrument), "pairs", "tradingpairs"),
  };
}
