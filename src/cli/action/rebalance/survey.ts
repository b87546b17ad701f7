// What a plan is made on: pairs, balances, references and quotes, read now over the shared budget. Nothing is decided by the
// books on the way: whoever sits at the desk proposes nothing.

import type { Asset, PairSymbol } from "../../../domain/asset.ts";
import type { Quote } from "../../../domain/quote.ts";
import { isWayOut } from "../../../risk/rules/price.ts";
import type { Situation } from "../../../treasury/plan/situation.ts";
import { situationOf, type TreasuryTerms } from "../../../treasury/rebalancer/treasury-view.ts";
import { limitsOf } from "../../bot/core-of.ts";
import { inquireInto } from "../../tool/hear.ts";
import { hearReferences } from "../../tool/hear-references.ts";
import { seeQuote } from "../../tool/see-quote.ts";
import type { Tool } from "../../tool/tool.ts";

export async function survey(tool: Tool, terms: TreasuryTerms, offPeg = false): Promise<Situation> {
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
    const situation = situationOf(desk, terms, (symbol) => tops.get(symbol), clock.now());
    return offPeg ? withWayOut(situation, tool) : situation;
  } finally {
    references.close();
  }
}

/** With sales of coins that are off their peg, valued at their marks; nothing brings more of such a coin. */
function withWayOut(situation: Situation, { desk, config }: Tool): Situation {
  const { pricing } = desk.engine.context;
  const { exit } = limitsOf(config);
  if (exit === undefined) return situation;
  const leaving = situation.instruments.filter((instrument) =>
    isWayOut({ side: "sell", instrument, fair: pricing.fair(instrument.symbol) }),
  );
  const isLeaving = (asset: Asset): boolean => leaving.some(({ base }) => base === asset);
  const { valueMax = exit.orderValueMax } = situation.orders;
  return {
    ...situation,
    rates: (asset) => situation.rates(asset) ?? (isLeaving(asset) ? pricing.mark(asset)?.price : undefined),
    hasFair: (symbol, side) =>
      situation.hasFair(symbol, side) || (side === "sell" && leaving.some((one) => one.symbol === symbol)),
    orders:
      leaving.length === 0 ? situation.orders : { ...situation.orders, valueMax: valueMax.min(exit.orderValueMax) },
    mints: situation.mints.filter(({ asset }) => !isLeaving(asset)),
    rails: situation.rails.filter(({ kind, asset }) => kind === "off-ramp" || !isLeaving(asset)),
  };
}
