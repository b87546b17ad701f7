// /client/tradingPairs: the tradable symbols with their grids. Price decimals were never seen; a default stands in.

import { assetsOf } from "../../domain/asset.ts";
import type { Instrument } from "../../domain/instrument.ts";
import {
  integer,
  listOfReadable,
  mapped,
  optional,
  quantity,
  type Read,
  record,
  symbol,
  word,
} from "../wire/decoder.ts";
import type { ReadEndpoint } from "./endpoint.ts";

const decimals = integer(18);

const row = record(
  {
    pair: symbol,
    status: word,
    min_order_size: quantity,
    qty_decimals: decimals,
    price_decimals: optional(decimals),
  },
  { symbol: "pair", min_order_qty: "min_order_size", quantity_decimals: "qty_decimals" },
);

const answer = record({ pairs: listOfReadable(row) }, { tradingpairs: "pairs" });

export function tradingPairs(priceDecimalsDefault: number): ReadEndpoint<readonly Instrument[]> {
  const instrument = (pair: Read<typeof row>): Instrument => ({
    symbol: pair.pair,
    ...assetsOf(pair.pair),
    status: pair.status,
    quantityDecimals: pair.qty_decimals,
    priceDecimals: pair.price_decimals ?? priceDecimalsDefault,
    quantityMin: pair.min_order_size,
  });
  return { path: "/client/tradingPairs", fields: {}, answer: mapped(answer, (body) => body.pairs.map(instrument)) };
}
