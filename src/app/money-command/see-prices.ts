// The prices of this moment, as the bot would have them: what is taken over moves the bases of losses by its value.

import type { HeardReferences } from "./hear-references.ts";
import { seeQuote } from "./see-quote.ts";
import type { Tool } from "./tool.ts";

/** Without an answer of the venue there is the less to value by: that ends no command which mends the books. */
export async function seePrices(
  tool: Tool,
  references: Pick<HeardReferences, "newest">,
  unless?: Parameters<Tool["take"]>[1],
): Promise<void> {
  const quotes = await tool.exchange.quotes({ class: "other" });
  for (const reference of references.newest()) await seeQuote(tool, reference, unless);
  if (quotes.kind !== "read") return;
  tool.clock.heard(quotes.at);
  for (const quote of quotes.value) await seeQuote(tool, { kind: "quote", ...quote }, unless);
}
