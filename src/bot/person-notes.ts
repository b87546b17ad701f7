// Notes about what persons decided: a freeze of rails reviewed; an order, a mint or a rail closed; a plan proposed,
// approved or declined. No step reports these, or none names the person.

import type { MintIntent } from "../domain/mint.ts";
import type { RailIntent, RailsRecord } from "../domain/rail.ts";
import type { OrderIntent } from "../domain/step.ts";
import type { ExecutorView } from "../execution/executor.ts";
import type { MoneyRequest } from "../execution/request.ts";
import type { JournalRecord, ReceiptRecord, ResolutionRecord } from "../journal/record.ts";
import { ACKNOWLEDGE } from "../risk/rail-guard.ts";
import { contentOf, isWish, stepText } from "../treasury/approval/plan-content.ts";

export function frozenText({ reason }: Pick<RailsRecord, "reason">): string {
  return `rails are frozen: ${reason}; ${ACKNOWLEDGE}`;
}

export function personNote(record: JournalRecord, executor: Pick<ExecutorView, "get">): string | undefined {
  switch (record.kind) {
    case "rails":
      if (record.state === "frozen") return frozenText(record);
      return record.state === "released" ? `rails may be used again, by ${record.by}: ${record.reason}` : undefined;
    case "plan":
      // A plan of the planner that a command started is reported by its results.
      return isWish(record)
        ? `plan ${record.id} proposed by ${record.by}: ${contentOf(record).steps.map(stepText).join("; ")}`
        : undefined;
    case "approval":
      return `plan ${record.id} approved by ${record.by}`;
    case "plan-progress":
      return record.state === "declined" ? `plan ${record.id} declined by ${record.by}: ${record.text}` : undefined;
    case "resolution":
      return resolutionNote(record, executor);
    default:
      return undefined;
  }
}

function resolutionNote(
  { id, verdict, reason, by }: ResolutionRecord,
  executor: Pick<ExecutorView, "get">,
): string | undefined {
  const request = executor.get(id);
  // Results of evidence are reported where they are found.
  const isPersons = by !== "bot" && verdict.kind !== "escalated";
  if (request === undefined || !isPersons) return undefined;
  const done = request.kind === "order" ? "filled" : "landed";
  const how = verdict.kind === "landed" ? `${done}, ${venueIdOf(verdict.receipt)}` : `not ${done}`;
  return `${titleOf(request)}, was closed as ${how}, by ${by}: ${reason}`;
}

function titleOf({ id, kind, request }: MoneyRequest): string {
  if (kind === "order") {
    const { side, quantity, symbol, limit } = request as OrderIntent;
    return `${id}, ${side} ${quantity} ${symbol} at ${limit}`;
  }
  if (kind === "mint") {
    const { quantity, asset, blockchain } = request as MintIntent;
    return `${id}, mint of ${quantity} ${asset} on ${blockchain}`;
  }
  const { type, asset, blockchain } = request as RailIntent;
  return `${id}, rail ${type} of ${asset} on ${blockchain}`;
}

function venueIdOf(receipt: ReceiptRecord): string {
  if (receipt.kind === "mint") return `request ${receipt.mint.requestId}`;
  return receipt.kind === "rail" ? `rail ${receipt.rail.railId}` : `order ${receipt.fill.orderId}`;
}
