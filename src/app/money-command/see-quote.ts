// A price for the books: as it was received, and not later than the venue's clock.

import type { Turn } from "../../bot/trading-core/turn.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import { millis } from "../../domain/time.ts";
import type { Tool } from "./tool.ts";

/** `unless`: as that of `tool.take`. */
export function seeQuote(
  { take, clock }: Pick<Tool, "take" | "clock">,
  quote: QuoteEvent,
  unless?: Parameters<Tool["take"]>[1],
): Promise<Turn> {
  const receivedAt = millis(Math.min(quote.receivedAt, clock.now()));
  return take({ kind: "event", event: { ...quote, receivedAt } }, unless);
}
