// Reference feeds: prices from outside the venue, each with a name. A setting that does not belong to a kind of feed is
// refused.

import { z } from "zod";
import { milliseconds, pairSymbol } from "../../domain/field.ts";
import { filePath, matching } from "../text.ts";
import { ADDRESS, isFitAddress } from "./notices.ts";

const NAME = "must be a name: 2 to 24 of a-z, 0-9 and hyphens, and not venue";
const FEED = /^[a-z][a-z0-9-]{1,23}$/;
const EXCHANGE = "must be the id of an exchange as ccxt writes it, like kraken";
const SYMBOLS_MAX = 32;

const name = z
  .string({ error: NAME })
  .refine((text) => FEED.test(text) && text !== "venue" && !text.startsWith("simulator-"), { error: NAME })
  .describe("what its prices are called in records, metrics and messages");

const symbols = z
  .array(pairSymbol("a pair"), { error: "must be a list of symbols" })
  .min(1, { error: "must name at least one symbol" })
  .max(SYMBOLS_MAX, { error: `must name at most ${SYMBOLS_MAX} symbols` })
  .describe("the pairs that are asked for");

const derive = z
  .array(pairSymbol("a pair"), { error: "must be a list of symbols" })
  .max(SYMBOLS_MAX, { error: `must name at most ${SYMBOLS_MAX} symbols` })
  .default([])
  .describe("pairs that it does not have, worked out from those of `symbols`: GBP/CHF from GBP/USD and USD/CHF");

const address = z
  .string({ error: ADDRESS })
  .refine((text) => isFitAddress(text) && !text.includes("#"), { error: ADDRESS })
  .describe("where it is asked");

const PATH = "must be names of members, separated by dots";
const path = (about: string) => matching(/^[^.\p{Cc}]{1,60}(?:\.[^.\p{Cc}]{1,60}){0,11}$/u, PATH, about);

/** Settings of most kinds. */
const priced = { name, symbols, derive };

const everyMs = (usual: number) => milliseconds(500, 60_000, "how often it is asked").default(usual);

export const referenceSchema = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({
      kind: z.literal("kraken-rest").describe("Kraken's public ticker over HTTP"),
      ...priced,
      url: address.default("https://api.kraken.com/0/public/Ticker"),
      everyMs: everyMs(2_000),
    }),
    z.strictObject({
      kind: z.literal("ccxt").describe("any exchange that the package ccxt knows; it is installed next to pegbot"),
      ...priced,
      exchange: matching(/^[a-z][a-z0-9]{1,31}$/, EXCHANGE, "its id in ccxt"),
      url: address.optional().describe("another address for its public API, for tests"),
      everyMs: everyMs(2_000),
    }),
    z
      .strictObject({
        kind: z
          .literal("json")
          .describe("any JSON document with prices: of an address, or a file that is written anew"),
        ...priced,
        url: address.optional().describe("where it is asked; or `file`"),
        file: filePath("the file; its price is as old as the file").optional(),
        bid: path("where the bid stands, as in rates.{base}{quote}.bid or 0.price"),
        ask: path("where the ask stands; the same as bid for a rate that has only one"),
        everyMs: everyMs(2_000),
      })
      .refine(({ url, file }) => (url === undefined) !== (file === undefined), {
        error: "must have either url or file",
      }),
    z.strictObject({
      kind: z
        .literal("recorded")
        .describe("a column file, played from its beginning when the bot starts; on paper only"),
      name,
      symbols,
      file: filePath("column file of `data import` or `data record`"),
    }),
  ],
  {
    error:
      "must have a kind: kraken-rest, ccxt, json or recorded (kraken-rest polls what kraken-socket did; for ecb set market.bands)",
  },
);

export type Reference = Readonly<z.output<typeof referenceSchema>>;
