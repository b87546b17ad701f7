// How a mint reads to the engine, whose accounts are folded from it: tied up, gone and in flight, arrived. A rail moves no
// money, and so says nothing here.

import type { MintIntent, MintRecord } from "../domain/mint.ts";
import { Money } from "../domain/money/money.ts";
import { DROPPED, isOfBalances, LEFT, type MovementReport } from "../domain/movement.ts";
import type { Submission } from "./submission.ts";

/** What the engine was last told of a movement. */
export type MovementTold = {
  readonly stage: "reserved" | "released" | "departed" | "returned" | "arrived";
  readonly status?: string | undefined;
  readonly reason?: string | undefined;
  /** The balances have once shown that what paid for it is gone. */
  readonly isShownGone?: true;
};

/** What paid for it is gone from the books. What was freed has not left: it may happen after all, and then still leaves. */
export function hasLeft(told: MovementTold | undefined): boolean {
  return told !== undefined && told.stage !== "reserved" && told.stage !== "released";
}

export function reservedReport({ asset, quantity, spentMax }: MintIntent): MovementReport {
  return { kind: "reserved", door: "mint", leaves: spentMax, comes: quantity.of(asset) };
}

/** What the engine has not heard yet, in this order. */
export function movementReports(
  { request, state }: Submission<"mint">,
  told: MovementTold | undefined,
): readonly MovementReport[] {
  switch (state.kind) {
    case "not-sent":
      return released(told, state.reason);
    case "rejected":
      return released(told, state.message);
    case "presumed-dead":
      return released(told, state.reason);
    case "accepted":
    case "confirmed":
    case "zombie":
      if (state.receipt.spent === undefined && !hasLeft(told)) return [];
      return [...departed(request, state.receipt, told), ...statusOf(state.receipt, told)];
    case "settled": {
      if (told?.stage === "arrived" || told?.stage === "returned") return [];
      const { receipt } = state;
      const isBack = state.isGivenBack === true;
      if (isBack && receipt.spent === undefined && !hasLeft(told)) return released(told, receipt.reason ?? "");
      // Who settled without a cost was paid for by what a person took over from the balances: its coins come from outside.
      const paid = receipt.spent === undefined ? { ...receipt, spent: Money.zero(request.spentMax.asset) } : receipt;
      return [
        ...departed(request, paid, told),
        // That it was given back is a person's word, and no news of the venue's.
        ...(isBack ? [giveBack(receipt)] : [...statusOf(receipt, told), arrival(request)]),
      ];
    }
    default:
      return [];
  }
}

export function toldOfMovement(report: MovementReport, before: MovementTold | undefined): MovementTold {
  if (report.kind === "doubt" || report.kind === "escalated") return before ?? { stage: "reserved" };
  if (report.kind === "told") {
    const { status, reason } = report;
    const stage = before?.stage ?? "reserved";
    // What the list says of it is what it was.
    if (isOfBalances(reason)) return { ...before, stage, ...(reason === LEFT ? { isShownGone: true } : {}) };
    return { ...before, stage, status, reason };
  }
  return { ...before, stage: report.kind === "corrected" ? "departed" : report.kind };
}

function released(told: MovementTold | undefined, reason: string): readonly MovementReport[] {
  return told?.stage === "released" ? [] : [{ kind: "released", reason }];
}

/** A mint that was found in the list has no amounts there: it leaves when the balances have told what it cost. */
function departed(
  { asset, quantity }: MintIntent,
  { spent, fee }: MintRecord,
  told: MovementTold | undefined,
): readonly MovementReport[] {
  if (hasLeft(told) || spent === undefined) return [];
  return [{ kind: "departed", door: "mint", spent, fee: fee ?? Money.zero(spent.asset), comes: quantity.of(asset) }];
}

function statusOf({ status, reason }: MintRecord, told: MovementTold | undefined): readonly MovementReport[] {
  // Only the list itself says that it has it again.
  if (told?.status === DROPPED) return [];
  if (status === undefined || (status === told?.status && reason === told.reason)) return [];
  return [{ kind: "told", status, reason }];
}

function giveBack({ reason = "" }: MintRecord): MovementReport {
  return { kind: "returned", reason };
}

function arrival({ destination }: MintIntent): MovementReport {
  return { kind: "arrived", at: destination === undefined ? "account" : "outside" };
}
