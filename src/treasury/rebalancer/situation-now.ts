// What the running bot plans with: its holdings, the young prices, and the routes that are open to it now.

import { millis } from "../../domain/time.ts";
import { offsets } from "../../risk/rules/rate.ts";
import type { OrderMarket } from "../plan/order-routes.ts";
import type { ClosedRoute } from "../plan/route.ts";
import type { Situation } from "../plan/routes.ts";
import type { Hands, RebalancerParts } from "./parts.ts";
import { railsNow } from "./rails.ts";
import { situationOf, type TradingView } from "./treasury-view.ts";

type Asked = {
  /** Of the bot's own: it does not trade back what was just traded. */
  readonly isOwn: boolean;
  /** By the names of their routes. */
  readonly refused: ReadonlyMap<string, string>;
  readonly isOffPeg?: boolean | undefined;
};

export function situationNow(
  { terms, rails: drafts, quoteAgeMsMax }: RebalancerParts,
  hands: Hands,
  { isOwn, refused, isOffPeg }: Asked,
): Situation {
  const { books, now, executor } = hands;
  const situation = situationOf(hands, terms, youngTop(books, quoteAgeMsMax), now.at, isOffPeg);
  const found = railsNow(situation, drafts, executor.treasury, now.at);
  const closed: ClosedRoute[] = [...found.closed];
  const isOpen = (name: string): boolean => {
    const why = refused.get(name);
    if (why !== undefined) closed.push({ name, reason: `it is left alone for an hour: ${why}` });
    return why === undefined;
  };
  return {
    ...situation,
    mints: situation.mints.filter(({ asset, chain }) => isOpen(`mint ${asset} on ${chain}`)),
    rails: found.rails.filter(({ kind, template }) => isOpen(`${kind} ${template}`)),
    closed,
    isBack: isOwn ? tradesBack(hands, terms.feeBpsMax, now.at) : undefined,
  };
}

/** An older quote is not used for planning. */
export function youngTop(books: TradingView["books"], ageMsMax: number): TradingView["books"]["topOf"] {
  return (symbol) => {
    const top = books.topOf(symbol);
    return top !== undefined && top.ageMs <= ageMsMax ? top : undefined;
  };
}

/**
 * As long as the counters remember orders; offsetWindowMs of the limits applies to every order and is usually shorter.
 */
const BACK_MS = 600_000;

/** Only for the bot's own plans: a recent buy of the strategy is not sold again at a loss, and vice versa. */
function tradesBack({ books }: Pick<TradingView, "books">, feeBps: number, now: number): OrderMarket["isBack"] {
  const { recent } = books.counters;
  return (order) => offsets(order, recent, millis(now - BACK_MS), feeBps) !== undefined;
}
