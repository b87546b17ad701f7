// Sends a step of a plan on its way, as soon as all that it needs is known.

import { fiatOf } from "../../domain/coin.ts";
import type { MintIntent } from "../../domain/mint.ts";
import { Quantity } from "../../domain/money/money.ts";
import { printable } from "../../domain/outside-text.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Proposal } from "../../domain/step.ts";
import { millis } from "../../domain/time.ts";
import type { SupplyChange } from "../../exchange/port.ts";
import type { Ask } from "../../execution/effects.ts";
import { idOfChange } from "../../execution/evidence.ts";
import type { PlanRecord } from "../../journal/record.ts";
import type { MovementWish } from "../../risk/movement-gate.ts";
import { offsets } from "../../risk/rules/rate.ts";
import { type ContentStep, isAsked, isWish, quantityOf } from "../approval/plan-content.ts";
import { saltedQuantity } from "../mint.ts";
import type { OrderMarket, Top } from "../plan/order-routes.ts";
import type { Via } from "../plan/route.ts";
import { type RailDraft, whyNotWhitelisted } from "../rail.ts";
import type { Hands, RebalancerParts } from "./parts.ts";
import { asksOf, draftOf, isSeen, whyClosed } from "./rails.ts";
import { currentStep, know, NOT_BEGUN, type RunningPlan } from "./running-plan.ts";
import type { TradingView } from "./treasury-view.ts";

/** A list that is not answered for so long ends the plan. */
const LIST_MS_MAX = 300_000;

/** The id of what was sent on its way; undefined while something must be known first. */
export function beginStep(running: RunningPlan, parts: RebalancerParts, hands: Hands): Result<string | undefined> {
  const { via } = currentStep(running);
  switch (via.kind) {
    case "order":
      return beginOrder(running, via, parts, hands);
    case "mint":
      return isListed(running, via) ? beginMint(running, via, parts, hands) : awaitLists(running, mintAsks(via), hands);
    default: {
      const draft = draftOf(via, parts.rails);
      if (!draft.ok) return draft;
      if (isSeen(draft.value, running.soFar.sight)) return beginRail(running, draft.value, hands);
      return awaitLists(running, asksOf(draft.value), hands);
    }
  }
}

function awaitLists(running: RunningPlan, asks: readonly Ask[], hands: Hands): Result<undefined> {
  const { mono } = hands.now;
  const { askedAt = mono } = running.soFar;
  if (running.soFar.askedAt === undefined) {
    know(running, { askedAt });
    for (const ask of asks) hands.ask(ask);
  }
  if (mono - askedAt <= LIST_MS_MAX) return ok(undefined);
  return err(`the venue's lists are not answered: ${asks.map(({ witness }) => witness).join(", ")}`);
}

/** An order that people approved and that the venue does not show for so long ends the plan. */
const MARKET_MS_MAX = 300_000;
/** Of an order of an approved plan. Below the number in a row that RC12 freezes a pair for. */
const TRIES_MAX = 3;

function beginOrder(
  running: RunningPlan,
  via: OrderVia,
  { terms, quoteAgeMsMax }: Pick<RebalancerParts, "terms" | "quoteAgeMsMax">,
  hands: Hands,
): Result<string | undefined> {
  const { plan, soFar } = running;
  const { quantity } = currentStep(running);
  const { at, mono } = hands.now;
  // One that waited was approved for another time.
  if (soFar.waitsFor !== undefined && at > plan.expiresAt) return err(`${soFar.waitsFor}, until it expired`);
  const tradedAt = running.tradedAt.get(via.symbol);
  if (tradedAt !== undefined && mono - tradedAt < terms.orders.refillMs) return ok(undefined);
  // One of its own was made of the prices of this moment.
  const topOf = youngTop(hands.engine, quoteAgeMsMax);
  const absent = isAsked(plan) ? whyNotThere(via, quantity, topOf(via.symbol)) : undefined;
  if (absent !== undefined) return awaitMarket(running, absent, hands);
  const verdict = hands.order(proposalOf(plan, quantity, via));
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
  const { via, name } = currentStep(running);
  const tries = running.soFar.tries + 1;
  if (via.kind !== "order" || !isAsked(plan) || tries >= TRIES_MAX || now.at > plan.expiresAt) return false;
  hands.note(`rebalancing ${plan.id}, ${name}: ${why}; it is tried again`);
  running.soFar = { ...NOT_BEGUN, tries, waitsFor: why };
  running.tradedAt.set(via.symbol, now.mono);
  return true;
}

type MintVia = Extract<Via, { kind: "mint" }>;

/** What has to be read since the step began. */
export function mintAsks({ asset, to }: MintVia): readonly Ask[] {
  const list: Ask = { witness: "supply-changes", asset, class: "balance" };
  return to === undefined ? [list] : [list, { witness: "addresses", asset: undefined, class: "balance" }];
}

/** Everything that was asked for is there. */
export function isListed({ soFar: { rows, sight } }: RunningPlan, { to }: MintVia): boolean {
  return rows !== undefined && (to === undefined || sight.addresses !== undefined);
}

export function beginMint(
  running: RunningPlan,
  via: MintVia,
  parts: Pick<RebalancerParts, "saltDecimals" | "random" | "wallets">,
  hands: Hands,
): Result<string> {
  const { rows = [] } = running.soFar;
  const fiat = fiatOf(via.asset);
  if (fiat === undefined) return err("only a coin that stands for its fiat is minted");
  const closed = whyNotTo(via, parts, running);
  if (closed !== undefined) return err(closed);
  const approved = quantityOf(currentStep(running));
  const quantity = via.isExact === true ? ok(approved) : recognisable(approved, via, { rows, ...parts }, hands);
  if (!quantity.ok) return quantity;
  const feeMax = quantity.value.of(fiat).share(via.feeBpsMax, "up");
  const mint: MintIntent = {
    asset: via.asset,
    blockchain: via.chain,
    quantity: quantity.value,
    destination: via.to,
    spentMax: quantity.value.of(fiat).plus(feeMax),
    feeMax,
    known: rows.map(idOfChange),
  };
  return moveFor(running, { kind: "mint", mint }, hands);
}

/** A wallet may have left either list since it was approved. */
function whyNotTo(
  { to, chain, asset }: MintVia,
  { wallets }: Pick<RebalancerParts, "wallets">,
  { soFar }: RunningPlan,
): string | undefined {
  if (to === undefined) return undefined;
  const own = wallets.find((wallet) => wallet.address === to && wallet.chain === chain);
  if (own === undefined)
    return `wallet ${printable(to, 80)} on ${chain} must stand in treasury.destinations, and does not`;
  return whyNotWhitelisted(own, asset, soFar.sight.addresses ?? []);
}

type Salting = Pick<RebalancerParts, "saltDecimals" | "random"> & { readonly rows: readonly SupplyChange[] };

function recognisable(
  approved: Quantity,
  { asset }: MintVia,
  { rows, saltDecimals: decimals, random }: Salting,
  { executor }: Hands,
): Result<Quantity> {
  const own = executor.treasury.mintsSince(millis(0)).flatMap((one) => (one.asset === asset ? [one.quantity] : []));
  const listed = rows.flatMap(({ quantity }) => (quantity === undefined ? [] : [quantity]));
  return saltedQuantity(approved, [...listed, ...own], { decimals, random });
}

/** What the venue lists was read since the step began. */
export function beginRail(
  running: RunningPlan,
  draft: RailDraft & { readonly toAccount: boolean },
  hands: Hands,
): Result<string> {
  const { rails = [], addresses } = running.soFar.sight;
  const { via } = currentStep(running);
  const { toAccount = draft.toAccount, isAnother = false } = ("registers" in via && via.registers) || {};
  const closed = whyClosed(draft, hands.executor.treasury, addresses, { isAnother });
  if (closed !== undefined) return err(closed);
  const standing = hands.executor.treasury.railOf(draft.rail);
  if (standing !== undefined && !isAnother) return ok(standing.id);
  const rail = { ...draft.rail, known: rails.map(({ railId }) => railId), toAccount };
  return moveFor(running, { kind: "rail", rail, isAnother }, hands);
}

type WithoutTerms<W> = W extends MovementWish ? Omit<W, "decidedAt" | "expiresAt" | "reason"> : never;

/** The id of what was approved. */
function moveFor({ plan }: RunningPlan, what: WithoutTerms<MovementWish>, hands: Hands): Result<string> {
  const wanted = isWish(plan) ? (plan.why ?? `wanted by ${plan.by}`) : "rebalancing";
  const terms = { decidedAt: hands.now.at, expiresAt: plan.expiresAt, reason: `${wanted}, plan ${plan.id}` };
  const moved = hands.move({ ...what, ...terms });
  if (typeof moved === "string") return ok(moved);
  return err(moved === undefined ? "not approved" : `${moved.rule}: ${moved.message}`);
}

export type OrderVia = Extract<ContentStep["via"], { kind: "order" }>;

export function proposalOf({ id }: PlanRecord, size: string, { symbol, side, limit }: OrderVia): Proposal {
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
export function whyNotThere({ side, limit }: OrderVia, quantity: string, top: Top | undefined): string | undefined {
  if (top === undefined) return "the venue quotes no price";
  const [price, size] = side === "buy" ? [top.ask, top.askSize] : [top.bid, top.bidSize];
  const isWorse = side === "buy" ? price > Number(limit) : price < Number(limit);
  if (isWorse) return `the venue's price is ${price}, its limit ${limit}`;
  if (size === undefined || size >= Quantity.of(quantity).toNumber()) return undefined;
  return `the venue shows ${size} of ${quantity}`;
}
