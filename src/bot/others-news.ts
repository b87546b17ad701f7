// What another process recorded of rails and plans, in a sentence: a rail was registered or refused, all were frozen, a person has
// looked; a person approved or declined a plan. No money moves by it, so no step tells it.

import { unreachable } from "../domain/invariant.ts";
import type { RailIntent } from "../domain/rail.ts";
import type { Executor } from "../execution/executor.ts";
import { ACKNOWLEDGE } from "../execution/rail-guard.ts";
import type { DefiniteOutcome, JournalRecord, OutcomeRecord, RailsRecord } from "../journal/record.ts";

export function frozenText({ reason }: Pick<RailsRecord, "reason">): string {
  return `rails are frozen: ${reason}; ${ACKNOWLEDGE}`;
}

export function newsOf(record: JournalRecord, executor: Pick<Executor, "get">): string | undefined {
  switch (record.kind) {
    case "rails":
      if (record.state === "frozen") return frozenText(record);
      return record.state === "released" ? `rails may be used again, by ${record.by}: ${record.reason}` : undefined;
    case "approval":
      return `rebalancing ${record.id} approved by ${record.by}`;
    case "plan-progress":
      return record.state === "declined"
        ? `rebalancing ${record.id} declined by ${record.by}: ${record.text}`
        : undefined;
    case "outcome":
      return outcomeNews(record, executor);
    default:
      return undefined;
  }
}

function outcomeNews({ id, outcome }: OutcomeRecord, executor: Pick<Executor, "get">): string | undefined {
  const submission = executor.get(id);
  if (submission?.kind !== "rail") return undefined;
  const { type, asset, blockchain } = submission.request as RailIntent;
  return `${id}, rail ${type} of ${asset} on ${blockchain}, ${endText(outcome)}`;
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
