// Sends one step of a running plan, once the venue's lists that it depends on have been read since the step began.

import { fiatOf } from "../../domain/coin.ts";
import type { MintIntent } from "../../domain/mint.ts";
import { Quantity } from "../../domain/money/money.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Proposal } from "../../domain/step.ts";
import { type Mono, millis } from "../../domain/time.ts";
import type { RailRecord, SupplyChange, WithdrawAddress } from "../../exchange/port.ts";
import type { Answer } from "../../execution/effects.ts";
import { idOfChange } from "../../execution/evidence.ts";
import type { PlanRecord } from "../../journal/record.ts";
import type { MovementWish } from "../../risk/treasury-gate.ts";
import { type ContentStep, isAsked, isWish, moneyOf, titleOf } from "../approval/plan-content.ts";
import { mintCost, saltedQuantity } from "../mint.ts";
import type { Top } from "../plan/order-routes.ts";
import type { Via } from "../plan/route.ts";
import { type RailDraft, whyNotWhitelisted } from "../rail.ts";
import type { Hands, RebalancerParts } from "./parts.ts";
import { draftOf, railOf, whyClosed } from "./rails.ts";
import { youngTop } from "./situation-now.ts";

export type RunningStep = {
  readonly plan: PlanRecord;
  readonly step: ContentStep;
  readonly soFar: SoFar;
};

export type SoFar = {
  /** When the lists were requested; they are stored by witness. */
  askedAt?: Mono;
  readonly lists: VenueLists;
  /** For an order that the gate capped: a message with the approved part of the step. */
  smaller?: string;
  waitsFor?: string;
};

type VenueLists = {
  readonly "supply-changes"?: readonly SupplyChange[];
  readonly rails?: readonly RailRecord[];
  readonly addresses?: readonly WithdrawAddress[];
};

export function heardBy(running: RunningStep, answer: Answer): void {
  const { askedAt, lists } = running.soFar;
  // Only an answer requested after the step began shows the state before the step.
  if (askedAt === undefined || answer.askedAt < askedAt) return;
  const { via } = running.step;
  const isOther = answer.witness === "supply-changes" && !(via.kind === "mint" && via.asset === answer.asset);
  if (!isOther) Object.assign(lists, { [answer.witness]: answer.rows });
}

/** A list that is not answered for this long ends the plan. */
const LIST_MS_MAX = 300_000;

/** The id of the sent request; undefined while the step waits. */
export function beginStep(running: RunningStep, parts: RebalancerParts, hands: Hands): Result<string | undefined> {
  const { via } = running.step;
  if (via.kind === "order") return beginOrder(running, via, parts, hands);
  if (via.kind === "mint") {
    const awaited = awaitLists(running, "supply-changes", via.to !== undefined, hands);
    return awaited ?? beginMint(running, via, parts, hands);
  }
  const draft = draftOf(via, parts.rails);
  if (!draft.ok) return draft;
  const awaited = awaitLists(running, "rails", draft.value.wallet !== undefined, hands);
  return awaited ?? beginRail(running, draft.value, hands);
}

/** Undefined once all lists are read. */
function awaitLists(
  running: RunningStep,
  list: "supply-changes" | "rails",
  toWallet: boolean,
  hands: Hands,
): Result<undefined> | undefined {
  const { soFar, step } = running;
  const { via } = step;
  const lists = toWallet ? ([list, "addresses"] as const) : [list];
  if (lists.every((one) => soFar.lists[one] !== undefined)) return undefined;
  const { mono } = hands.now;
  if (soFar.askedAt === undefined) {
    soFar.askedAt = mono;
    const coin = via.kind === "mint" ? via.asset : undefined;
    for (const witness of lists)
      hands.ask({ witness, asset: witness === "supply-changes" ? coin : undefined, class: "balance" });
  }
  if (mono - soFar.askedAt <= LIST_MS_MAX) return ok(undefined);
  return err(`the venue does not answer these lists: ${lists.join(", ")}`);
}

function beginOrder(
  running: RunningStep,
  via: OrderVia,
  { quoteAgeMsMax }: Pick<RebalancerParts, "quoteAgeMsMax">,
  hands: Hands,
): Result<string | undefined> {
  const { plan, soFar, step } = running;
  const { quantity, name } = step;
  const { at } = hands.now;
  // The bot's own plan was made at current prices; the market may move while people approve a plan.
  const top = youngTop(hands.books, quoteAgeMsMax)(via.symbol);
  const absent = isAsked(plan) ? whyNotThere(via, quantity, top) : undefined;
  const waited = absent ?? soFar.waitsFor;
  if (waited !== undefined && at > plan.expiresAt) return err(`${waited}, until it expired`);
  if (absent !== undefined) {
    if (soFar.waitsFor === undefined) hands.note(`${titleOf(plan)} waits, ${name}: ${absent}`);
    soFar.waitsFor = absent;
    return ok(undefined);
  }
  const verdict = hands.order(proposalOf(plan, quantity, via));
  if (verdict === undefined) return err("the bot is stopped");
  if (verdict.kind === "refused") return err(`${verdict.refusal.rule}: ${verdict.refusal.message}`);
  const { intent, capped } = verdict;
  const [cap] = capped;
  if (cap !== undefined)
    soFar.smaller = `${intent.quantity} of ${quantity} were let through as ${intent.clientOrderId}, ${cap.rule}: ${cap.message}`;
  return ok(intent.clientOrderId);
}

type MintVia = Extract<Via, { kind: "mint" }>;

export function beginMint(
  running: RunningStep,
  { asset, chain, to, feeBpsMax, isExact, spend }: MintVia,
  { wallets, saltDecimals: decimals, random }: Pick<RebalancerParts, "saltDecimals" | "random" | "wallets">,
  hands: Hands,
): Result<string> {
  const fiat = fiatOf(asset);
  if (fiat === undefined) return err("only a coin that stands for its fiat is minted");
  // A wallet may have been removed from either list since the approval.
  const own = wallets.find((wallet) => wallet.address === to && wallet.chain === chain);
  if (to !== undefined && own === undefined)
    return err(`wallet ${printable(to, 80)} on ${chain} must stand in treasury.destinations, and does not`);
  const unlisted = own && whyNotWhitelisted(own, asset, running.soFar.lists.addresses ?? []);
  if (unlisted !== undefined) return err(unlisted);
  const approved = Quantity.of(running.step.quantity);
  const rows = running.soFar.lists["supply-changes"] ?? [];
  const mints = hands.executor.treasury.mintsSince(millis(0)).filter((one) => one.asset === asset);
  const taken = [...rows, ...mints].flatMap(({ quantity }) => quantity ?? []);
  const salted = isExact === true ? ok(approved) : saltedQuantity(approved, taken, { decimals, random });
  if (!salted.ok) return salted;
  const quantity = salted.value;
  const mint: MintIntent = {
    ...{ asset, blockchain: chain, quantity, destination: to },
    ...mintCost(quantity, fiat, feeBpsMax, spend && moneyOf(spend)),
    known: rows.map(idOfChange),
  };
  return moveFor(running, { kind: "mint", mint }, hands);
}

function beginRail(
  running: RunningStep,
  draft: RailDraft & { readonly toAccount: boolean },
  hands: Hands,
): Result<string> {
  const { via } = running.step;
  const { toAccount = draft.toAccount, isAnother = false } = ("registers" in via && via.registers) || {};
  const closed = whyClosed(draft, hands.executor.treasury, running.soFar.lists.addresses ?? [], { isAnother });
  if (closed !== undefined) return err(closed);
  const standing = railOf(hands.executor.treasury, draft.rail);
  if (standing !== undefined && !isAnother) return ok(standing.id);
  const known = running.soFar.lists.rails?.map(({ railId }) => railId) ?? [];
  const rail = { ...draft.rail, known, toAccount };
  return moveFor(running, { kind: "rail", rail, isAnother }, hands);
}

type WithoutTerms<W> = W extends MovementWish ? Omit<W, "decidedAt" | "expiresAt" | "reason"> : never;

/** Returns the id of the approved request. */
function moveFor({ plan }: RunningStep, what: WithoutTerms<MovementWish>, hands: Hands): Result<string> {
  const wanted = isWish(plan) ? (plan.why ?? `wanted by ${plan.by}`) : "rebalancing";
  const terms = { decidedAt: hands.now.at, expiresAt: plan.expiresAt, reason: `${wanted}, plan ${plan.id}` };
  const moved = hands.move({ ...what, ...terms });
  if (typeof moved === "string") return ok(moved);
  return err(moved === undefined ? "not approved" : `${moved.rule}: ${moved.message}`);
}

export type OrderVia = Extract<ContentStep["via"], { kind: "order" }>;

function proposalOf({ id }: PlanRecord, size: string, { symbol, side, limit }: OrderVia): Proposal {
  return { symbol, side, limit: Number(limit), size, reason: `rebalancing, plan ${id}`, lifetimeMs: undefined };
}

/** Why the venue would not fill it now in full at its limit. A size that is not shown is no reason. */
function whyNotThere({ side, limit }: OrderVia, quantity: string, top: Top | undefined): string | undefined {
  if (top === undefined) return "the venue quotes no price";
  const [price, size] = side === "buy" ? [top.ask, top.askSize] : [top.bid, top.bidSize];
  const isWorse = side === "buy" ? price > Number(limit) : price < Number(limit);
  if (isWorse) return `the venue's price is ${price}, its limit ${limit}`;
  if (size === undefined || size >= Quantity.of(quantity).toNumber()) return undefined;
  return `the venue shows ${size} of ${quantity}`;
}
