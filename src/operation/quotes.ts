import { z } from "zod";
import type { PairSymbol } from "../domain/asset.ts";
import type { Quote } from "../domain/quote.ts";
import { err, ok } from "../domain/result.ts";
import { millis } from "../domain/time.ts";
import type { Operation } from "./operation.ts";

const size = z.number().optional();
const quote = z
  .object({ symbol: z.string(), source: z.string(), bid: z.number(), ask: z.number(), bidSize: size, askSize: size })
  .extend({ receivedAt: z.number() })
  .transform((one): Quote => {
    const { bidSize, askSize } = one;
    return {
      ...one,
      bidSize,
      askSize,
      at: undefined,
      symbol: one.symbol as PairSymbol,
      receivedAt: millis(one.receivedAt),
    };
  });

export const quotes: Operation = {
  name: "quotes",
  sentence: "The last price of each pair and source that the owner has read; costs no request",
  scope: "read",
  isForSocket: true,
  answer: z.object({ quotes: z.array(quote) }),
  act: ({ prices }) => (prices === undefined ? err("the venue is not opened here") : ok({ quotes: prices() })),
};
