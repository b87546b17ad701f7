// Notes about the records of other processes: a rail was registered or refused, all rails were frozen, a person
// reviewed a freeze; a person closed an order, a mint or a rail, or proposed, approved or declined a plan. No step
// reports these, or none names the person.

import { unreachable } from "../../domain/invariant.ts";
import type { MintIntent } from "../../domain/mint.ts";
import type { RailIntent, RailsRecord } from "../../domain/rail.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { ExecutorView } from "../../execution/executor.ts";
import type { MoneyRequest } from "../../execution/request.ts";
import type {
  DefiniteOutcome,
  JournalRecord,
  OutcomeRecord,
  ReceiptRecord,
  ResolutionRecord,
} from "../../journal/record.ts";
import { ACKNOWLEDGE } from "../../risk/rail-guard.ts";
import { contentOf, isWish, stepText } from "../../treasury/approval/plan-content.ts";

export function frozenText({ reason }: Pick<RailsRecord, "reason">): string {
  return `rails are frozen: ${reason}; ${ACKNOWLEDGE}`;
}

export function newsOf(record: JournalRecord, executor: Pick<ExecutorView, "get">): string | undefined {
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
    case "outcome":
      return outcomeNews(record, executor);
    case "resolution":
      return resolutionNews(record, executor);
    default:
      return undefined;
  }
}

function outcomeNews({ id, outcome }: OutcomeRecord, executor: Pick<ExecutorView, "get">): string | undefined {
  const submission = executor.get(id);
  return submission?.kind === "rail" ? `${titleOf(submission)}, ${endText(outcome)}` : undefined;
}

function resolutionNews(
  { id, verdict, reason, by }: ResolutionRecord,
  executor: Pick<ExecutorView, "get">,
): string | undefined {
  const submission = executor.get(id);
  // Results of evidence are reported where they are found.
  const isPersons = by !== "bot" && verdict.kind !== "escalated";
  if (submission === undefined || !isPersons) return undefined;
  const done = submission.kind === "order" ? "filled" : "landed";
  const how = verdict.kind === "landed" ? `${done}, ${venueIdOf(verdict.receipt)}` : `not ${done}`;
  return `${titleOf(submission)}, was closed as ${how}, by ${by}: ${reason}`;
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

function endText(outcome: DefiniteOutcome): string {
  switch (outcome.kind) {
    case "accepted":
      return outcome.receipt.kind === "rail" ? `is registered as ${outcome.receipt.rail.railId}` : "is registered";
    case "rejected":
      return `was refused by the venue: ${outcome.code}: ${outcome.message}`;
    case "not-sent":
      return `was not sent: ${outcome.reason}`;
    default:
      return unreachable(outcome);
  }
}
