// Rows of the venue's histories against what the journal knows: whose they are, and whether they agree with what became of
// our orders.

import { isRejected } from "../../domain/rail.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { OrderRecord, RailRecord, SupplyChange, TradeRecord } from "../../exchange/port.ts";
import type { Answer } from "../executor.ts";
import type { Submissions } from "../kept/submissions.ts";
import { late, unsent } from "../move.ts";
import { isOf, mayBe, mayBeRail } from "../movement-evidence.ts";
import { fitsOrder } from "../order-evidence.ts";
import { reservationOf } from "../reservation.ts";
import type { Conflict, State, Submission } from "../submission.ts";
import { type Foreign, type HistoryRow, SeenRows } from "./foreign.ts";
import { mintRow, orderRow, railRow, tradeRow } from "./history.ts";

/** Rows that neither an intent of ours nor an adoption accounts for. */
export function strangersIn(answer: Answer, submissions: Submissions, foreign: Foreign): readonly HistoryRow[] {
  switch (answer.witness) {
    case "balances":
    // A payment is known by its rail, and an address is nobody's doing.
    case "payments":
    case "addresses":
      return NONE;
    case "trades":
      return strangers(answer.rows, (row) => isOurTrade(row, submissions), tradeRow, foreign);
    case "orders":
      return strangers(answer.rows, (row) => isOurOrder(row, submissions), orderRow, foreign);
    case "supply-changes": {
      const ours = submissionsOf(submissions, "mint");
      const isKnown = (row: SupplyChange) => ours.some((mint) => isOurMint(row, mint)) || isForeignMint(row, foreign);
      return strangers(answer.rows, isKnown, mintRow, foreign);
    }
    case "rails": {
      const ours = submissionsOf(submissions, "rail");
      return strangers(answer.rows, (row) => ours.some((rail) => isOurRail(row, rail)), railRow, foreign);
    }
  }
}

const NONE: readonly never[] = Object.freeze([]);

function strangers<T>(
  rows: readonly T[],
  isOurs: (row: T) => boolean,
  show: (row: T) => HistoryRow,
  foreign: Foreign,
): readonly HistoryRow[] {
  let others: HistoryRow[] | undefined;
  const seen = new SeenRows();
  for (const row of rows) {
    if (isOurs(row)) continue;
    const shown = show(row);
    others ??= [];
    others.push(shown);
    // Its time says that it is the one that was taken over: what has the same name and came later is another.
    if (shown.isNameless === true && foreign.isOld(shown)) seen.count(shown.key);
  }
  // It was that of an order of ours when it was taken over, and that one is no longer kept.
  return others?.filter((row) => !foreign.covers(row, seen) && !foreign.isAccepted(row, seen)) ?? NONE;
}

/** A late trade of an order that was given up so long ago that it is no longer kept is for a person, too. */
function isOurTrade(row: TradeRecord, submissions: Submissions): boolean {
  const id = submissions.idOf(row);
  if (id !== undefined) return submissions.find(id) !== undefined || submissions.pastOf(id) === "filled";
  return anyOpen(submissions, (order) => fitsOrder(order, row));
}

/** A refused order without any name of ours cannot be told from one of ours, and moved nothing. */
function isOurOrder(row: OrderRecord, submissions: Submissions): boolean {
  const id = submissions.idOf(row);
  if (id !== undefined) return submissions.find(id) !== undefined || submissions.pastOf(id) !== "unknown";
  if (row.status === "Rejected") return true;
  const { symbol, side, quantity } = row;
  return anyOpen(
    submissions,
    (order) => symbol === order.symbol && side === order.side && quantity?.equals(order.quantity) === true,
  );
}

/** What an order in doubt may be, its evidence deals with. */
function anyOpen(submissions: Submissions, fits: (order: OrderIntent) => boolean): boolean {
  for (const { kind, state, request } of submissions.open)
    if (kind === "order" && mayHaveHappened(state) && fits(request as OrderIntent)) return true;
  return false;
}

export function submissionsOf<K extends "mint" | "rail">(submissions: Submissions, kind: K): readonly Submission<K>[] {
  const found: Submission<K>[] = [];
  for (const held of submissions.movements()) if (held.kind === kind) found.push(held as Submission as Submission<K>);
  return found;
}

function isOurMint(row: SupplyChange, { request, state }: Submission<"mint">): boolean {
  if ("receipt" in state) return isOf(row, state.receipt);
  return mayHaveHappened(state) && mayBe(request, row);
}

/** Adopted, perhaps when the list showed nothing but its transaction. */
export function isForeignMint(row: SupplyChange, foreign: Foreign): boolean {
  const isCovered = (one: SupplyChange): boolean => foreign.covers(mintRow(one), new SeenRows());
  return (row.transactionId !== undefined && isCovered({ ...row, requestId: undefined })) || isCovered(row);
}

/** A rail that was refused is listed too, and moved nothing: it cannot be told from ours by anything but what it shows. */
function isOurRail(row: RailRecord, { request, state }: Submission<"rail">): boolean {
  if ("receipt" in state) return row.railId === state.receipt.railId;
  return (mayHaveHappened(state) || (state.kind === "rejected" && isRejected(row))) && mayBeRail(request, row);
}

/** What it may be, its evidence deals with. */
function mayHaveHappened(state: State<unknown>): boolean {
  return state.kind !== "intended" && reservationOf(state) === "both-ways";
}

/** Trades decide about money; a list of orders that says something else about one that has ended is shown to a person. */
export function orderConflict(
  id: string,
  state: State<unknown>["kind"],
  { status }: OrderRecord,
): Conflict | undefined {
  switch (state) {
    case "intended":
    case "not-sent":
      return { ...unsent(id), reason: `the venue lists ${id}, which was never sent` };
    case "rejected":
    case "presumed-dead":
      return status === "Filled"
        ? { ...late(id), reason: `the venue lists ${id} as Filled, which had been given up (${state})` }
        : undefined;
    case "accepted":
    case "confirmed":
    case "settled":
    case "zombie":
      return status === "Rejected"
        ? {
            cause: "contradiction",
            subject: `listed ${id}`,
            reason: `the venue lists ${id} as Rejected, which is booked as filled`,
          }
        : undefined;
    default:
      return undefined;
  }
}
