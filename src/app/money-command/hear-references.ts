// The reference prices of this moment: the feeds are heard while the venue is asked, which takes seconds, and the newest word
// of each counts. They cost nothing of the budget.

import { randomInt } from "node:crypto";
import type { QuoteEvent } from "../../domain/event.ts";
import { createRandom } from "../../domain/random.ts";
import { venueAddress } from "../config/venue-address.ts";
import { referencesOf } from "../feeds/references.ts";
import type { Tool } from "./tool.ts";

export interface HeardReferences {
  newest(): readonly QuoteEvent[];
  close(): void;
}

export function hearReferences({ config, clock }: Pick<Tool, "config" | "clock">): HeardReferences {
  const heard = new Map<string, QuoteEvent>();
  const parts = {
    base: venueAddress(config),
    random: createRandom(randomInt(2 ** 47)),
    clock,
    openRecord: () => Promise.reject(new Error("a recording has no price of this moment")),
  };
  const measures = new Set(config.market.references.filter(({ kind }) => kind === "ecb").map(({ name }) => name));
  const subscription = referencesOf(config, parts).subscribe((quote) => {
    heard.set(`${quote.source} ${quote.symbol}`, quote);
  });
  // Measures first: the others are held against them.
  const newest = (): QuoteEvent[] =>
    [...heard.values()].sort((one, other) => Number(measures.has(other.source)) - Number(measures.has(one.source)));
  return { newest, close: () => subscription.unsubscribe() };
}
