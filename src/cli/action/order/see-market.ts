// What an order of a person is decided on: pairs, balances, references and quotes, read now over the shared budget, the
// quote of its own pair last: with it the order is decided on.

import type { PairSymbol } from "../../../domain/asset.ts";
import type { QuoteEvent } from "../../../domain/event.ts";
import type { Quote } from "../../../domain/quote.ts";
import { CommandFailure } from "../../command-failure.ts";
import { exitCode } from "../../exit-code.ts";
import { inquireInto } from "../../tool/hear.ts";
import { hearReferences } from "../../tool/hear-references.ts";
import { seeQuote } from "../../tool/see-quote.ts";
import type { Tool } from "../../tool/tool.ts";
import { requireOnGrid } from "./on-grid.ts";
import type { Wish } from "./one-shot.ts";

/** Gives the quote of its own pair. */
export async function seeMarket(tool: Tool, wish: Wish, stop: AbortSignal): Promise<QuoteEvent> {
  const { symbol } = wish;
  const references = hearReferences(tool);
  try {
    await seeAccount(tool, wish);
    const quotes = await tool.read("quotes", tool.exchange.quotes({ class: "order" }));
    if (stop.aborted) throw new CommandFailure(exitCode.failed, "stopped, nothing was sent");
    for (const reference of references.newest()) await seeQuote(tool, reference);
    return await seeQuotes(tool, symbol, quotes);
  } finally {
    references.close();
  }
}

async function seeAccount(tool: Tool, wish: Wish): Promise<void> {
  const { exchange, clock } = tool;
  const instruments = await tool.read("pairs", exchange.pairs({ class: "order" }));
  const instrument = instruments.find(({ symbol }) => symbol === wish.symbol);
  if (instrument === undefined)
    throw new CommandFailure(exitCode.usage, `${wish.symbol} is not listed`, "pegbot pairs shows what is");
  requireOnGrid(wish, instrument);
  await tool.take({ kind: "event", event: { kind: "instruments", instruments, receivedAt: clock.now() } });
  // A witness as well: what the books do not explain freezes its asset, also where no bot is there to notice.
  await inquireInto(tool, { witness: "balances", asset: undefined, class: "order" });
}

async function seeQuotes(tool: Tool, symbol: PairSymbol, quotes: readonly Quote[]): Promise<QuoteEvent> {
  for (const quote of quotes) if (quote.symbol !== symbol) await seeQuote(tool, { kind: "quote", ...quote });
  const own = quotes.find((quote) => quote.symbol === symbol);
  if (own === undefined) throw new CommandFailure(exitCode.refused, `the venue quotes no ${symbol}; nothing was sent`);
  const event: QuoteEvent = { kind: "quote", ...own };
  await seeQuote(tool, event);
  return event;
}
