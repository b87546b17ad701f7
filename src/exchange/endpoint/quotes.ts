// GET /client/quotes: top of book, an observed capability. The answer sometimes contains pair rows: a row without a
// pair and two sides is not a quote, and is left out and reported.

import type { Quote } from "../../domain/quote.ts";
import {
  agreed,
  bySymbol,
  type Decoder,
  mapped,
  optional,
  price,
  quantity,
  record,
  rows,
  Unreadable,
} from "../wire/decoder.ts";
import type { Json } from "../wire/json.ts";
import { namedPair, pairFields, type ReadEndpoint } from "./endpoint.ts";

type Level = { readonly price: number; readonly size: number | undefined };

/** [price, size], or the price alone; the size may be missing. */
const level: Decoder<Level> = (json, problems) => {
  if (Array.isArray(json) && (json.length === 0 || json.length > 2)) throw new Unreadable("must be [price, size]");
  const [first, second] = (Array.isArray(json) ? json : [json]) as readonly (Json | undefined)[];
  return {
    price: price(first, problems).toNumber(),
    size: second === undefined || second === null ? undefined : quantity(second, problems).toNumber(),
  };
};

const row = record({
  ...pairFields,
  bid: [level, "b", "bid", "bid_price"],
  ask: [level, "a", "ask", "ask_price"],
  bidSize: [optional(quantity), "bid_size", "bid_qty", "bid_quantity"],
  askSize: [optional(quantity), "ask_size", "ask_qty", "ask_quantity"],
});

const quote = mapped(row, ({ bid, ask, bidSize, askSize, ...pair }) => ({
  symbol: namedPair(pair),
  bid: bid.price,
  ask: ask.price,
  bidSize: agreed(bid.size, bidSize?.toNumber(), "bid_size"),
  askSize: agreed(ask.size, askSize?.toNumber(), "ask_size"),
  source: "venue",
  at: undefined,
}));

const NAMES = ["quotes", "prices", "tickers"] as const;

export const quotes: ReadEndpoint<readonly Omit<Quote, "receivedAt">[]> = {
  path: "/client/quotes",
  fields: {},
  answer: bySymbol(rows(quote, row.slots, ...NAMES), ...NAMES),
  slots: row.slots,
};
