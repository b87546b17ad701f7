// GET /client/quotes: top of book, an observed capability. The answer sometimes contains pair rows: a row without a
// symbol and two sides is not a quote, and is left out and reported.

import type { Quote } from "../../domain/quote.ts";
import {
  type Decoder,
  listOfReadable,
  mapped,
  only,
  price,
  quantity,
  record,
  symbol,
  Unreadable,
} from "../wire/decoder.ts";
import type { Json } from "../wire/json.ts";
import type { ReadEndpoint } from "./endpoint.ts";

/** [price, size]; the size may be missing. */
const level: Decoder<{ price: number; size: number | undefined }> = (json, problems) => {
  if (!Array.isArray(json) || json.length === 0 || json.length > 2) throw new Unreadable("must be [price, size]");
  const [first, second] = json as readonly Json[];
  return {
    price: price(first, problems).toNumber(),
    size: second === undefined || second === null ? undefined : quantity(second, problems).toNumber(),
  };
};

const row = mapped(record({ symbol, b: level, a: level }), ({ symbol, b, a }) => ({
  symbol,
  bid: b.price,
  ask: a.price,
  bidSize: b.size,
  askSize: a.size,
  source: "venue",
  at: undefined,
}));

export const quotes: ReadEndpoint<readonly Omit<Quote, "receivedAt">[]> = {
  path: "/client/quotes",
  fields: {},
  answer: only(listOfReadable(row), "quotes"),
};
