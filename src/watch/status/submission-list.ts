// What is under way at the venue and what keeps orders back, as it is shown.

import { type Haircuts, haircutOf } from "../../bot/accounts/worth.ts";
import type { Desk } from "../../bot/desk/desk.ts";
import { type Asset, assetsOf, type PairSymbol } from "../../domain/asset.ts";
import type { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { Freeze } from "../../execution/effects.ts";
import type { ExecutorView } from "../../execution/executor.ts";
import { resolveCommand } from "../../execution/remediation.ts";
import {
  type AnyReceipt,
  type Contents,
  isEscalated,
  type MoneyKind,
  type MoneyRequest,
  stateText,
  waitingSince,
} from "../../execution/request.ts";
import { isUncosted } from "../../execution/request-state.ts";
import { decideText, type ShownFlight, type ShownSubmission, titleOf } from "../status.ts";
import { mintOf, railOf } from "./settlement-list.ts";

/** A mint or a rail is as old as its request, also over restarts; of a doubt its own age counts. */
export function openOf({
  executor,
}: {
  readonly executor: Pick<ExecutorView, "open" | "intendedAt"> & {
    readonly treasury: Pick<ExecutorView["treasury"], "heldAt">;
  };
}): ShownSubmission[] {
  return [...executor.open()].flatMap(shownOf).map((one) => {
    if (one.kind === "order" || one.isDoubt) return one;
    return { ...one, since: executor.intendedAt(one.id) ?? one.since, heldSince: executor.treasury.heldAt(one.id) };
  });
}

/** Where no pair that may be traded is free of it, it is everything. */
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

/** A mint is as old as its request, whenever it was found. */
export function flightsOf(
  { engine, executor }: Pick<Desk, "engine" | "executor">,
  haircuts: Haircuts,
  now: Millis,
): ShownFlight[] {
  const text = (amount: Money): string => `${amount} ${amount.asset}`;
  return Array.from(engine.context.accounts.flights(), (flight) => {
    const { id, door, spent, comes, status, reason } = flight;
    const since = executor.intendedAt(id) ?? flight.since;
    const cautious = text(comes.minus(haircutOf(flight, haircuts)));
    return { id, door, spent: text(spent), comes: text(comes), since, ageMs: now - since, status, reason, cautious };
  });
}

/** None of one that is over. */
export function shownOf(submission: MoneyRequest): readonly ShownSubmission[] {
  const { id, kind, state } = submission;
  if (state.kind === "settled" || state.kind === "rejected" || state.kind === "not-sent" || state.kind === "released")
    return [];
  const isDoubt = state.kind === "unknown";
  const receipt = "receipt" in state ? state.receipt : undefined;
  const venueWord = receipt !== undefined && "status" in receipt ? receipt.status : undefined;
  const venueReason = receipt !== undefined && "reason" in receipt ? receipt.reason : undefined;
  const what = whatOf(submission);
  const venueId = receipt && venueIdOf(receipt);
  const isAsked = isEscalated(state) || isUncosted(submission);
  const decide = isAsked ? decideText(resolveCommand(submission)) : undefined;
  const since = waitingSince(state);
  return [{ id, kind, state: stateText(state), what, isDoubt, since, venueWord, venueReason, venueId, decide }];
}

function venueIdOf(receipt: AnyReceipt): string | undefined {
  if ("requestId" in receipt) return receipt.requestId;
  return "railId" in receipt ? receipt.railId : undefined;
}

/** A request of ours by its id, as people read it. */
export function titleIn(executor: Pick<ExecutorView, "get">, id: string): string | undefined {
  const found = executor.get(id);
  return found && titleOf({ kind: found.kind, what: whatOf(found) });
}

function whatOf({ kind, request }: MoneyRequest<MoneyKind>): string {
  if (kind === "mint") return mintOf(request as Contents["mint"]).what;
  if (kind === "rail") return railOf(request as Contents["rail"]).what;
  const { side, quantity, symbol, limit } = request as MoneyRequest<"order">["request"];
  return `${side} ${quantity} ${symbol} at ${limit}`;
}
