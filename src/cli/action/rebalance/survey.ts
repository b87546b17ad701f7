// What a plan is made on: pairs, balances, references and quotes, read now over the shared budget. Nothing is decided by the
// books on the way: whoever sits at the desk proposes nothing.

import type { PairSymbol } from "../../../domain/asset.ts";
import type { Quote } from "../../../domain/quote.ts";
import type { Situation } from "../../../treasury/plan/situation.ts";
import { situationOf, type TreasuryTerms } from "../../../treasury/rebalancer/treasury-view.ts";
import { inquireInto } from "../../tool/hear.ts";
import { hearReferences } from "../../tool/hear-references.ts";
import { seeQuote } from "../../tool/see-quote.ts";
import type { Tool } from "../../tool/tool.ts";

export async function survey(tool: Tool, terms: TreasuryTerms): Promise<Situation> {
  const { exchange, clock, desk } = tool;
  const references = hearReferences(tool);
  try {
    const instruments = await tool.read("pairs", exchange.pairs({ class: "balance" }));
    await tool.take({ kind: "event", event: { kind: "instruments", instruments, receivedAt: clock.now() } });
    await inquireInto(tool, { witness: "balances", asset: undefined, class: "balance" });
    const quotes = await tool.read("quotes", exchange.quotes({ class: "balance" }));
    for (const reference of references.newest()) await seeQuote(tool, reference);
    const tops = new Map<PairSymbol, Quote>();
    for (const quote of quotes) {
      await seeQuote(tool, { kind: "quote", ...quote });
      tops.set(quote.symbol, quote);
    }
    return situationOf(desk, terms, (symbol) => tops.get(symbol), clock.now());
  } finally {
    references.close();
  }
}
