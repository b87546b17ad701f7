// What a witness said, for the books. Where it may show money that crosses the border of the account, prices are read first:
// the bases of losses move by its value, and without a rate it is left to the running bot.

import type { Heard, Question } from "../../bot/effects/dispatch.ts";
import type { Turn } from "../../bot/trading-core/turn.ts";
import type { Asset } from "../../domain/asset.ts";
import type { Answer } from "../../execution/effects.ts";
import type { MoneyRequest } from "../../execution/request.ts";
import { hearReferences } from "./hear-references.ts";
import { seePrices } from "./see-prices.ts";
import { seeQuote } from "./see-quote.ts";
import type { Tool } from "./tool.ts";

/** Feeds that are opened only now need a moment. */
const MOMENT_MS = 500;
const MOMENTS_MAX = 10;

/** Asked and taken into the books, or the end of the command. */
export async function inquireInto(tool: Tool, question: Question): Promise<Answer> {
  const answer = await tool.ask(question);
  await hear(tool, { kind: "answer", answer });
  return answer;
}

export async function hear(tool: Tool, heard: Heard): Promise<Turn> {
  const crossing = heard.kind === "answer" ? crossingOf(tool, heard.answer) : [];
  if (crossing.length > 0) await seePricesOf(tool, crossing);
  return tool.take(heard);
}

/** What may come from outside or go there by this answer. */
function crossingOf({ desk: { executor } }: Tool, answer: Answer): readonly Asset[] {
  switch (answer.witness) {
    case "payments":
      return answer.rows.flatMap(({ railId, amount }) => {
        const isOurs = railId !== undefined && executor.treasury.ownerOf("rail", railId) !== undefined;
        return isOurs && amount !== undefined ? [amount.asset] : [];
      });
    case "balances":
    case "supply-changes":
      return [...executor.open()].flatMap((one) =>
        isMint(one) && one.request.destination !== undefined ? [one.request.asset] : [],
      );
    default:
      return [];
  }
}

function isMint(one: MoneyRequest): one is MoneyRequest<"mint"> {
  return one.kind === "mint";
}

/** Until each of them has a price, for a moment at most. */
export async function seePricesOf(tool: Tool, assets: readonly Asset[]): Promise<void> {
  const { timers, desk } = tool;
  const { pricing } = desk.engine.context;
  const isPriced = (asset: Asset): boolean => asset === pricing.currency || pricing.rate(asset) !== undefined;
  const references = hearReferences(tool);
  try {
    await seePrices(tool, references);
    for (let moments = 0; moments < MOMENTS_MAX && !assets.every(isPriced); moments++) {
      await new Promise<void>((resolve) => {
        timers.after(MOMENT_MS, resolve);
      });
      for (const reference of references.newest()) await seeQuote(tool, reference);
    }
  } finally {
    references.close();
  }
}
