// A mint that the venue's list had, and has no longer. It stays in flight, and is told as that; what stays so for a day is asked
// of a person. A list that may show only the newest says nothing of what it does not show.

import type { MintIntent, MintRecord } from "../domain/mint.ts";
import { DROPPED, isOfBalances, type MovementReport } from "../domain/movement.ts";
import type { Millis } from "../domain/time.ts";
import type { SupplyChange } from "../exchange/port.ts";
import type { Held } from "./kept/held.ts";
import { isOf, namesOf } from "./movement-evidence.ts";
import { ONE_SIDED_MS_MAX } from "./one-sided.ts";

/** It shows something that is older, or nothing at all, and not this one. */
export function leavesOut(rows: readonly SupplyChange[], { known }: MintIntent, receipt: MintRecord): boolean {
  if (rows.some((row) => isOf(row, receipt))) return false;
  return rows.length === 0 || rows.some((row) => namesOf(row).some((name) => known.includes(name)));
}

/** What is to be told of one that is left out; nothing of one that the list never had. */
export function droppedReport(
  held: Held,
  { requestId }: MintRecord,
  now: Millis,
): Extract<MovementReport, { kind: "told" | "escalated" }> | undefined {
  const { id, movement, droppedAt } = held;
  if (movement?.status === undefined) return undefined;
  if (movement.status !== DROPPED) return { kind: "told", status: DROPPED, reason: undefined };
  if (held.isDropAsked || droppedAt === undefined || now - droppedAt < ONE_SIDED_MS_MAX) return undefined;
  held.isDropAsked = true;
  return {
    kind: "escalated",
    reason: droppedReason(id),
    wayOut: `the venue's support, about request ${requestId}; if it gave the money back, or never had it: pegbot resolve ${id} --not-landed --reason "..."`,
  };
}

function droppedReason(id: string): string {
  return `the venue does not list ${id} any more, for a day now, and its coins are in flight`;
}

/** Of a mint that was there: which question of the journal it is. */
export function heardAsked(
  held: Held,
  { reason }: Pick<Extract<MovementReport, { kind: "escalated" }>, "reason">,
): void {
  if (reason === droppedReason(held.id)) held.isDropAsked = true;
  else held.isAsked = true;
}

/** Keeps since when it is so, also as the journal tells it. */
export function heardOfList(held: Held, { status, reason }: Told, at: Millis): void {
  if (status === DROPPED) held.droppedAt ??= at;
  else if (!isOfBalances(reason) && held.droppedAt !== undefined) {
    held.droppedAt = undefined;
    held.isDropAsked = false;
  }
}

type Told = Pick<Extract<MovementReport, { kind: "told" }>, "status" | "reason">;
