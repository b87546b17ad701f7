// Open requests, frozen assets, money in transit, and treasury items that wait for people, as the status shows them.

import type { Engine } from "../../bot/engine.ts";
import { type Asset, assetsOf, type PairSymbol } from "../../domain/asset.ts";
import type { Money } from "../../domain/money/money.ts";
import type { Rail } from "../../domain/rail.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Millis } from "../../domain/time.ts";
import type { Freeze } from "../../execution/effects.ts";
import type { ExecutorView, TreasuryRequests } from "../../execution/executor.ts";
import { venueIdOf } from "../../execution/payments.ts";
import { resolveCommand } from "../../execution/remediation.ts";
import {
  type AnyReceipt,
  type Contents,
  isEscalated,
  type MoneyKind,
  type MoneyRequest,
  stateText,
} from "../../execution/request.ts";
import { isUncosted } from "../../execution/request-state.ts";
import type { PlanProgress, PlanRecord } from "../../journal/record.ts";
import { contentOf, isAsked, linesOf } from "../../treasury/approval/plan-content.ts";
import type { LoggedPlan, Rest } from "../../treasury/approval/plan-log.ts";
import { movedSoFar, purseOf } from "../../treasury/conversion/purse.ts";
import type { PlanUnderWay } from "../../treasury/rebalancer/parts.ts";
import { awaited } from "../../treasury/rebalancer/rails.ts";
import {
  decideText,
  type ShownConversionUnderWay,
  type ShownFlight,
  type ShownPlan,
  type ShownSubmission,
  type ShownTreasury,
  type ShownUnderWay,
} from "../status.ts";
import { mintOf, paymentText, railOf, waitingSince } from "./settlement-list.ts";

/** The age of a mint or a rail counts from its request, across restarts; the age of a doubt counts from the doubt. */
export function openOf({ executor }: { readonly executor: Pick<ExecutorView, "open" | "times"> }): ShownSubmission[] {
  return [...executor.open()].flatMap(shownOf).map((one) => {
    if (one.kind === "order" || one.isDoubt) return one;
    const { intendedAt: since = one.since, heldAt: heldSince } = executor.times(one.id) ?? {};
    return { ...one, since, heldSince };
  });
}

/** A freeze that affects every tradable pair is shown as everything. */
export function frozenOf(freeze: Freeze, symbols: readonly PairSymbol[]): string | undefined {
  if (freeze.kind === "none") return undefined;
  if (freeze.kind === "everything") return `everything: ${freeze.reason}`;
  const assets = freeze.assets.join(", ");
  const isAll = symbols.length > 0 && symbols.every((symbol) => isOneOf(freeze.assets, assetsOf(symbol)));
  return isAll
    ? `everything: ${assets} are in all pairs of risk.symbols: ${freeze.reason}`
    : `${assets}: ${freeze.reason}`;
}

function isOneOf(assets: readonly Asset[], { base, quote }: { readonly base: Asset; readonly quote: Asset }): boolean {
  return assets.includes(base) || assets.includes(quote);
}

/** The age of a mint counts from its request, regardless of when it was found. */
export function flightsOf({ books, executor }: Pick<Engine, "books" | "executor">, now: Millis): ShownFlight[] {
  const text = (amount: Money): string => `${amount} ${amount.asset}`;
  return Array.from(books.accounts.flights(), ({ id, door, spent, comes, status, reason, since: departed }) => {
    const since = executor.times(id)?.intendedAt ?? departed;
    return { id, door, spent: text(spent), comes: text(comes), since, ageMs: now - since, status, reason };
  });
}

/** Empty for a request that has ended. */
export function shownOf(submission: MoneyRequest): readonly ShownSubmission[] {
  const { id, kind, state } = submission;
  if (state.kind === "settled" || state.kind === "rejected" || state.kind === "not-sent" || state.kind === "released")
    return [];
  const isDoubt = state.kind === "unknown";
  const receipt = "receipt" in state ? state.receipt : undefined;
  const venueWord = receipt !== undefined && "status" in receipt ? receipt.status : undefined;
  const venueReason = receipt !== undefined && "reason" in receipt ? receipt.reason : undefined;
  const what = whatOf(submission);
  const venueId = receipt && receiptIdOf(receipt);
  const isAsked = isEscalated(state) || isUncosted(submission);
  const decide = isAsked ? decideText(resolveCommand(submission)) : undefined;
  const since = waitingSince(state);
  const cause = state.kind === "unknown" ? (state.escalated ?? state.cause) : undefined;
  return [{ id, kind, state: stateText(state), what, isDoubt, cause, since, venueWord, venueReason, venueId, decide }];
}

function receiptIdOf(receipt: AnyReceipt): string | undefined {
  if ("requestId" in receipt) return receipt.requestId;
  return "railId" in receipt ? receipt.railId : undefined;
}

function whatOf({ kind, request }: MoneyRequest<MoneyKind>): string {
  if (kind === "mint") return mintOf(request as Contents["mint"]).what;
  if (kind === "rail") return railOf(request as Contents["rail"]).what;
  const { side, quantity, symbol, limit } = request as MoneyRequest<"order">["request"];
  return `${side} ${quantity} ${symbol} at ${limit}`;
}

export function treasuryOf(
  { executor, rebalancer }: Pick<Engine, "executor" | "rebalancer">,
  now: Millis,
): ShownTreasury {
  const shown = treasuryShown(executor, {
    waiting: rebalancer?.waiting(now) ?? [],
    underWay: rebalancer?.underWay(),
    conversions: rebalancer?.conversions() ?? [],
    expired: rebalancer?.log.unused(now) ?? [],
    rest: rebalancer?.log.rest(now),
    templateOf: (rail) => rebalancer?.templateOf(rail, executor.treasury),
  });
  const plans = shown.plans.map((plan) => ({ ...plan, waitsFor: rebalancer?.heldUp(plan.id) }));
  return { ...shown, plans, instructions: rebalancer?.standing(now) ?? [], left: rebalancer?.left() ?? [] };
}

/** `waiting`: plans that can still be approved. */
type PlansShown = {
  readonly waiting: readonly LoggedPlan[];
  readonly underWay?: PlanUnderWay | undefined;
  readonly conversions?: readonly PlanUnderWay[] | undefined;
  readonly expired: readonly PlanProgress[];
  readonly rest: Rest | undefined;
  /** The name of this rail's template in the configuration. */
  readonly templateOf?: (rail: string) => string | undefined;
};

type SeenMovements = Pick<ExecutorView, "get"> & {
  readonly treasury: Pick<TreasuryRequests, "requests" | "payments" | "rails">;
};

export function treasuryShown(
  executor: SeenMovements,
  { waiting, underWay, conversions = [], expired, rest, templateOf }: PlansShown,
): ShownTreasury {
  const counting = new Map(
    conversions.flatMap(({ known }) => purseOf(known).open.map(({ request }) => [request, known.plan] as const)),
  );
  return {
    plans: waiting.map(planShown),
    underWay: underWay && underWayShown(underWay),
    conversions: conversions.flatMap(conversionShown),
    expired: expired.map(({ id, at, text, by }) => ({ id, at, why: text, declinedBy: by })),
    awaited: awaited(executor.treasury).map(({ id, rail, pays, since }) => ({
      id,
      rail,
      over: railText(executor.get(rail), templateOf?.(rail)),
      pays: pays && `${pays} ${pays.asset}`,
      since,
      reference: referenceOf(executor.get(rail)),
      ...countedBy(counting.get(id)),
    })),
    held: executor.treasury.payments.all().flatMap((payment) => {
      const { id, heldAt: since } = payment;
      return since === undefined ? [] : [{ id, venueId: venueIdOf(payment), amount: paymentText(payment), since }];
    }),
    railsFrozen: executor.treasury.rails.reason,
    railsFrozenAt: executor.treasury.rails.since,
    rest,
  };
}

function countedBy(plan: PlanRecord | undefined) {
  return plan && { conversion: plan.id, until: contentOf(plan).conversion?.by };
}

function referenceOf(rail: MoneyRequest | undefined): string | undefined {
  const state = rail?.kind === "rail" ? rail.state : undefined;
  return state && "receipt" in state ? printable((state.receipt as Rail).railId, 60) : undefined;
}

/** `to-bank (VCHF to CHF on ETH, to CH93…, rail 80ce… at the venue)`. */
function railText(rail: MoneyRequest | undefined, template: string | undefined): string | undefined {
  if (rail?.kind !== "rail") return undefined;
  const { request } = rail as MoneyRequest<"rail">;
  const memo = request.memo === undefined ? "" : `, memo ${printable(request.memo, 60)}`;
  const venueId = referenceOf(rail);
  const there = venueId === undefined ? "" : `, rail ${venueId} at the venue`;
  return `${template ?? rail.id} (${railOf(request).what}, to ${printable(request.destination, 80)}${memo}${there})`;
}

/** The plans among these that a person must approve. */
export function awaitingApproval(waiting: readonly LoggedPlan[], now: Millis): readonly LoggedPlan[] {
  return waiting.filter(({ plan }) => isAsked(plan) && now <= plan.expiresAt);
}

function underWayShown({ known: { plan, progress }, waitsFor }: PlanUnderWay): ShownUnderWay {
  const at = progress.find(({ state }) => state === "begun")?.at ?? plan.at;
  const done = progress.filter(({ state }) => state === "step").length;
  return { id: plan.id, at, by: plan.by, done, steps: linesOf(plan), waitsFor };
}

function conversionShown({ known, waitsFor }: PlanUnderWay): readonly ShownConversionUnderWay[] {
  const { plan } = known;
  const [{ conversion }, moved] = [contentOf(plan), movedSoFar(known)];
  if (conversion === undefined || moved === undefined) return [];
  const { from, to, amount, isBuy, by: until } = conversion;
  const sums = { left: moved.left, arrived: moved.arrived, value: String(moved.value), lost: String(moved.lost) };
  return [{ id: plan.id, from, to, amount, isBuy, ...sums, until, paused: purseOf(known).paused, waitsFor }];
}

function planShown({ plan, approvals }: LoggedPlan): ShownPlan {
  const { id, at, expiresAt, by, persons } = plan;
  const steps = linesOf(plan);
  return { id, at, expiresAt, by, persons, approvedBy: approvals.map((one) => one.by), steps };
}
