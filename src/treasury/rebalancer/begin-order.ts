// An order of a plan. One that people approved waits until the venue shows it, and is tried again where nothing moved.

import { err, ok, type Result } from "../../domain/result.ts";
import { isAsked } from "../approval/plan-content.ts";
import { type OrderWay, proposalOf, whyNotThere, youngTop } from "./plan-order.ts";
import { currentStep, know, NOT_BEGUN, type RunningPlan } from "./running-plan.ts";
import type { Hands, StewardParts } from "./steward.ts";

/** An order that people approved and that the venue does not show for so long ends the plan. */
const MARKET_MS_MAX = 300_000;
/** Of an order of an approved plan. Below the number in a row that RC12 freezes a pair for. */
const TRIES_MAX = 3;

export function beginOrder(
  running: RunningPlan,
  way: OrderWay,
  { terms, quoteAgeMsMax }: Pick<StewardParts, "terms" | "quoteAgeMsMax">,
  hands: Hands,
): Result<string | undefined> {
  const { plan, soFar } = running;
  const { quantity } = currentStep(running);
  const { at, mono } = hands.now;
  // One that waited was approved for another time.
  if (soFar.waitsFor !== undefined && at > plan.expiresAt) return err(`${soFar.waitsFor}, until it expired`);
  const tradedAt = running.tradedAt.get(way.symbol);
  if (tradedAt !== undefined && mono - tradedAt < terms.orders.refillMs) return ok(undefined);
  // One of its own was made of the prices of this moment.
  const topOf = youngTop(hands.engine, quoteAgeMsMax);
  const absent = isAsked(plan) ? whyNotThere(way, quantity, topOf(way.symbol)) : undefined;
  if (absent !== undefined) return awaitMarket(running, absent, hands);
  const verdict = hands.order(proposalOf(plan, quantity, way));
  if (verdict === undefined) return err("the bot is stopped");
  if (verdict.kind === "refused") {
    const why = `${verdict.refusal.rule}: ${verdict.refusal.message}`;
    return triesAgain(running, why, hands) ? ok(undefined) : err(why);
  }
  const { intent, capped } = verdict;
  const [cap] = capped;
  if (cap !== undefined) {
    const smaller = `${intent.quantity} of ${quantity} were let through as ${intent.clientOrderId}, ${cap.rule}: ${cap.message}`;
    know(running, { smaller });
  }
  return ok(intent.clientOrderId);
}

/** The market does not stand still for what people approve; nor do other plans wait for it for ever. */
function awaitMarket(running: RunningPlan, why: string, hands: Hands): Result<undefined> {
  const { plan, soFar } = running;
  const { now } = hands;
  if (now.at > plan.expiresAt) return err(`${why}, until it expired`);
  if (soFar.waitsSince === undefined) hands.note(`rebalancing ${plan.id} waits, ${currentStep(running).name}: ${why}`);
  const { waitsSince = now.mono } = soFar;
  know(running, { waitsSince, waitsFor: why });
  return now.mono - waitsSince > MARKET_MS_MAX ? err(`${why}, for 5 minutes`) : ok(undefined);
}

/** Says whether it is tried again: only an order of an approved plan that moved nothing. A limit, or the market, may have moved on. */
export function triesAgain(running: RunningPlan, why: string, hands: Hands): boolean {
  const { plan } = running;
  const { now } = hands;
  const { way, name } = currentStep(running);
  const tries = running.soFar.tries + 1;
  if (way.kind !== "order" || !isAsked(plan) || tries >= TRIES_MAX || now.at > plan.expiresAt) return false;
  hands.note(`rebalancing ${plan.id}, ${name}: ${why}; it is tried again`);
  running.soFar = { ...NOT_BEGUN, tries, waitsFor: why };
  running.tradedAt.set(way.symbol, now.mono);
  return true;
}
