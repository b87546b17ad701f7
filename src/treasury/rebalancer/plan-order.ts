// Orders of plans as the engine is asked for them, beside the market and the strategy: whether the venue shows what an order wants
// now, and whether it would only trade back what was ordered a while ago.

import { Quantity } from "../../domain/money/money.ts";
import type { Proposal } from "../../domain/step.ts";
import { millis } from "../../domain/time.ts";
import type { PlanRecord } from "../../journal/record.ts";
import { offsets } from "../../risk/rules/self-offset.ts";
import type { ContentStep } from "../approval/plan-content.ts";
import type { OrderMarket, Top } from "../plan/order-doors.ts";
import type { TradingView } from "./trading-view.ts";

export type OrderWay = Extract<ContentStep["way"], { kind: "order" }>;

export function proposalOf({ id }: PlanRecord, size: string, { symbol, side, limit }: OrderWay): Proposal {
  return { symbol, side, limit: Number(limit), size, reason: `rebalancing, plan ${id}`, lifetimeMs: undefined };
}

/** A quote that is older is no price to plan with. */
export function youngTop(engine: TradingView, ageMsMax: number): TradingView["topOf"] {
  return (symbol) => {
    const top = engine.topOf(symbol);
    return top !== undefined && top.ageMs <= ageMsMax ? top : undefined;
  };
}

/** As long as the books remember orders; offsetWindowMs of the limits is about every order, and mostly shorter. */
const BACK_MS = 600_000;

/** For plans of the bot alone: what the strategy has just bought is not sold again at a loss, and the other way round. */
export function tradesBack(
  { context }: Pick<TradingView, "context">,
  feeBps: number,
  now: number,
): OrderMarket["isBack"] {
  const { recent } = context.books;
  return (order) => offsets(order, recent, millis(now - BACK_MS), feeBps) !== undefined;
}

/** Why the venue would not fill it now, in full and at its limit. A size that is not shown is no reason. */
export function whyNotThere({ side, limit }: OrderWay, quantity: string, top: Top | undefined): string | undefined {
  if (top === undefined) return "the venue quotes no price";
  const [price, size] = side === "buy" ? [top.ask, top.askSize] : [top.bid, top.bidSize];
  const isWorse = side === "buy" ? price > Number(limit) : price < Number(limit);
  if (isWorse) return `the venue's price is ${price}, its limit ${limit}`;
  if (size === undefined || size >= Quantity.of(quantity).toNumber()) return undefined;
  return `the venue shows ${size} of ${quantity}`;
}
