// GET /client/quotes: top of book, an observed capability. The answer sometimes holds pair rows instead: a row without
// a symbol and two sides is not a quote, and is left out by name.

import type { Quote } from "../../domain/quote.ts";
import {
  type Decoder,
  listOfReadable,
  mapped,
  price,
  quantity,
  type Read,
  record,
  symbol,
  Unreadable,
} from "../wire/decoder.ts";
import type { Json } from "../wire/json.ts";
import type { ReadEndpoint } from "./endpoint.ts";

/** [price, size], of which the size may be missing. */
const level: Decoder<{ price: number; size: number | undefined }> = (json, notes) => {
  if (!Array.isArray(json) || json.length === 0 || json.length > 2) throw new Unreadable("must be [price, size]");
  const [first, second] = json as readonly Json[];
  return {
    price: price(first, notes).toNumber(),
    size: second === undefined || second === null ? undefined : quantity(second, notes).toNumber(),
  };
};

const row = record({ symbol, b: level, a: level });
const answer = record({ quotes: listOfReadable(row) });

export const quotes: ReadEndpoint<readonly Omit<Quote, "receivedAt">[]> = {
  path: "/client/quotes",
  fields: {},
  answer: mapped(answer, (body) => body.quotes.map(quote)),
};

function quote(entry: Read<typeof row>): Omit<Quote, "receivedAt"> {
  return {
    symbol: entry.symbol,
    bid: entry.b.price,
    ask: entry.a.price,
    bidSize: entry.b.size,
    askSize: entry.a.size,
    source: "venue",
    at: undefined,
  };
}
